#include <fmt/format.h>

#include <algorithm>

#include "compute/backend/cuda_backend.h"
#include "compute/cuda/check.h"
#include "compute/cuda/device_buffer.h"
#include "compute/cuda/launch_slices.h"
#include "compute/cuda/life/cells.h"
#include "compute/cuda/solid/solid_kernels.h"
#include "compute/cuda/stream.h"
#include "compute/workload/random_start.h"

namespace loom::cuda {
namespace {

/// Cells per copy in or out.
constexpr std::uint64_t kCopiedAtATime = std::uint64_t{1} << 24;
/// Steps for a cell that is found by its canonical index (LaunchSlices).
constexpr std::uint64_t kStepsOfCell = 64;

class CudaSolidEngine : public SolidEngine {
 public:
  CudaSolidEngine(const SolidConfig& config, int device)
      : SolidEngine(config),
        device_(device),
        tables_(make_tiled_fractal(config.fractal, config.level, config.tile_size)),
        arithmetic_(on_device(tables_.arithmetic)),
        tile_cells_(on_device(tables_.tile_cells)),
        staged_(on_device(tables_.staged)),
        program_(make_program()),
        order_(program_.map.tiled),
        now_(program_.map.bytes()),
        next_(program_.map.bytes()),
        totals_(2),
        slices_(slices_of(device)) {
    cudaDeviceProp properties{};
    LOOM_CUDA(cudaGetDeviceProperties(&properties, device));
    name_ = fmt::format("cuda: {}", properties.name);
    zero(now_);
    zero(next_);
    stream_.wait();
  }
  ~CudaSolidEngine() override {
    LOOM_CUDA_QUIETLY(cudaSetDevice(device_));
    LOOM_CUDA_QUIETLY(cudaStreamSynchronize(stream_.get()));
  }

  std::string backend_name() const override { return name_; }
  std::uint64_t cell_count() const override { return program_.map.tiled.cells; }
  std::uint64_t allocated_bytes() const override { return 2 * program_.map.bytes(); }

  StepReport reset(const RandomStart& start) override {
    const std::uint64_t threshold = density_threshold(start.density);
    return timed(Workload::kSingleWrite, 1, [&] {
      slices_.each(cell_count(), kStepsOfCell, [&](std::uint64_t first, std::uint64_t end) {
        fill_random_solid(program_.map, order_, now_.data(), first, end - first, start.seed, threshold,
                          stream_);
      });
      begin_anew();
    });
  }
  StepReport clear() override {
    return timed(Workload::kSingleWrite, 1, [&] {
      zero(now_);
      begin_anew();
    });
  }

  StepReport run(std::uint32_t times, const SolidWork& work) override {
    const ProgressScope call(monitor_, times);
    use_device();
    if (times > 0) fit_cells(work);
    std::uint32_t done = 0;
    StepReport report = timed(work.workload, times, [&] {
      while (done < times && !call.cancelled()) {
        enqueue(work);
        ++done;
        if (call.watched()) stream_.wait();
        call.advance(1);
      }
    });
    report.generations = done;
    report.bytes_moved = work_costs(cell_count(), work.workload, done).bytes_moved;
    if (work.workload == Workload::kReduction && done > 0) {
      unsigned long long sum = 0;
      LOOM_CUDA(cudaMemcpy(&sum, totals_.data(), sizeof(sum), cudaMemcpyDeviceToHost));
      report.sum = sum;
    }
    return report;
  }

  std::optional<std::uint8_t> cell(Coord3 expanded) const override {
    const std::uint64_t at = program_.map.index_of(expanded);
    if (at == kNoSolidIndex) return std::nullopt;
    use_device();
    std::uint8_t state = 0;
    LOOM_CUDA(cudaMemcpyAsync(&state, now_.data() + at, 1, cudaMemcpyDeviceToHost, stream_.get()));
    stream_.wait();
    return state;
  }
  std::uint64_t edit(std::span<const Edit> edits) override {
    use_device();
    std::uint64_t edited = 0;
    for (const Edit& edit : edits) {
      const std::uint64_t at = program_.map.index_of(edit.cell);
      if (at == kNoSolidIndex) continue;
      LOOM_CUDA(cudaMemsetAsync(now_.data() + at, edit.state, 1, stream_.get()));
      hold(edit.state);
      ++edited;
    }
    stream_.wait();
    return edited;
  }

  StepReport trace(const SolidView& view, MemorySpace space, SolidImage& image) override {
    check_view(config_, view);
    use_device();
    prepare_scene();
    const std::size_t count = static_cast<std::size_t>(view.width) * static_cast<std::size_t>(view.height);
    pixels_.reserve(count);
    const StepReport report = timed(Workload::kReduction, 0,
                                    [&] { trace_solid(scene_, view, now_.data(), pixels_.data(), stream_); });
    if (space == MemorySpace::kCudaDevice) {
      image = {pixels_.data(), view.width, view.height, {device_, stream_.get()}};
      return report;
    }
    host_pixels_.reserve(count);
    LOOM_CUDA(cudaMemcpyAsync(host_pixels_.data(), pixels_.data(), count * sizeof(std::uint32_t),
                              cudaMemcpyDeviceToHost, stream_.get()));
    stream_.wait();
    image = {host_pixels_.data(), view.width, view.height};
    return report;
  }

  SolidHit pick(const SolidView& view, int column, int row) override {
    check_view(config_, view);
    use_device();
    prepare_scene();
    picked_.reserve(1);
    pick_solid(scene_, view, now_.data(), column, row, picked_.data(), stream_);
    SolidHit hit;
    LOOM_CUDA(cudaMemcpyAsync(&hit, picked_.data(), sizeof(hit), cudaMemcpyDeviceToHost, stream_.get()));
    stream_.wait();
    return hit;
  }

  Census census() const override {
    use_device();
    LOOM_CUDA(cudaMemsetAsync(totals_.data(), 0, 2 * sizeof(unsigned long long), stream_.get()));
    slices_.each(cell_count(), kStepsOfCell, [&](std::uint64_t first, std::uint64_t end) {
      add_solid_census(program_.map, order_, now_.data(), first, end - first, totals_.data(), stream_);
    });
    unsigned long long values[2] = {};
    LOOM_CUDA(cudaMemcpyAsync(values, totals_.data(), sizeof(values), cudaMemcpyDeviceToHost, stream_.get()));
    stream_.wait();
    return {values[0], values[1]};
  }
  ThreadCount count_threads() const override {
    use_device();
    return count_solid_threads(program_, slices_, stream_);
  }

  void read_cells(std::uint64_t first, std::span<std::uint8_t> cells) const override {
    in_parts(first, cells.size(), [&](std::uint64_t done, std::uint64_t count, std::uint8_t* dense) {
      gather_solid(program_.map, order_, now_.data(), first + done, count, dense, stream_);
      LOOM_CUDA(cudaMemcpyAsync(cells.data() + done, dense, count, cudaMemcpyDeviceToHost, stream_.get()));
    });
  }
  void write_cells(std::uint64_t first, std::span<const std::uint8_t> cells) override {
    in_parts(first, cells.size(), [&](std::uint64_t done, std::uint64_t count, std::uint8_t* dense) {
      LOOM_CUDA(cudaMemcpyAsync(dense, cells.data() + done, count, cudaMemcpyHostToDevice, stream_.get()));
      scatter_solid(program_.map, order_, now_.data(), first + done, count, dense, stream_);
    });
    hold(cells);
  }

 private:
  /// Calls `copy(done, count, memory for as many cells)` for the parts of a range of cells, and waits after
  /// each.
  template <typename Copy>
  void in_parts(std::uint64_t first, std::uint64_t cells, const Copy& copy) const {
    check_cell_range(cell_count(), first, cells);
    use_device();
    const DeviceBuffer<std::uint8_t> dense(std::clamp<std::uint64_t>(cells, 1, kCopiedAtATime));
    for (std::uint64_t done = 0; done < cells; done += kCopiedAtATime) {
      copy(done, std::min(kCopiedAtATime, cells - done), dense.data());
      stream_.wait();
    }
  }
  void drop_states(std::uint32_t states) override {
    cuda::drop_states(now_.data(), now_.size(), states, stream_);
  }
  SolidProgram make_program() const {
    const TiledSolid tiled = make_tiled_fractal(config_.fractal, config_.level, config_.tile_size);
    const SolidLaunch launch = solid_launch(config_.method, tiled);
    return {.map = make_solid_map(config_.method, tiled, arithmetic_.data(), tile_cells_.data()),
            .launch = launch,
            .memory = SolidSharedMemory(tiled, config_.method.map == MapKind::kCompact, launch.tiling),
            .staged = staged_.data(),
            .staged_points = static_cast<std::uint32_t>(tables_.staged.size()),
            .halo_tiles = tables_.halo_tiles,
            .halo = config_.method.halo};
  }
  void prepare_scene() {
    if (digits_x_.size() == 0) {
      const SolidDigits digits(program_.map.tiled);
      digits_x_ = cuda::on_device(digits.x);
      digits_y_ = cuda::on_device(digits.y);
      digits_z_ = cuda::on_device(digits.z);
      scene_ = make_solid_scene(program_.map, program_.launch, digits);
      scene_.digits_x = digits_x_.data();
      scene_.digits_y = digits_y_.data();
      scene_.digits_z = digits_z_.data();
    }
    scene_.states = states_;
  }
  void use_device() const { LOOM_CUDA(cudaSetDevice(device_)); }
  void zero(DeviceBuffer<std::uint8_t>& cells) {
    LOOM_CUDA(cudaMemsetAsync(cells.data(), 0, cells.size(), stream_.get()));
  }
  void enqueue(const SolidWork& work) {
    switch (work.workload) {
      case Workload::kSingleWrite:
        write_solid(program_, now_.data(), static_cast<std::uint32_t>(generation_), slices_, stream_);
        ++generation_;
        break;
      case Workload::kReduction:
        LOOM_CUDA(cudaMemsetAsync(totals_.data(), 0, sizeof(unsigned long long), stream_.get()));
        reduce_solid(program_, now_.data(), totals_.data(), slices_, stream_);
        break;
      case Workload::kLife:
        step_solid(program_, now_.data(), next_.data(), work.rule, slices_, stream_);
        now_.swap(next_);
        ++generation_;
        break;
    }
  }
  /// Does the work between two events and waits for it.
  template <typename Use>
  StepReport timed(Workload workload, std::uint32_t times, const Use& use) {
    use_device();
    events_.mark(0, stream_);
    use();
    events_.mark(1, stream_);
    stream_.wait();
    StepReport report = report_of(workload, times);
    report.milliseconds = events_.milliseconds(0, 1);
    return report;
  }

  int device_ = 0;
  std::string name_;
  SolidTables tables_;
  DeviceBuffer<SolidEntry> arithmetic_;
  DeviceBuffer<std::uint32_t> tile_cells_;
  DeviceBuffer<StagedPoint> staged_;
  SolidProgram program_;
  SolidOrder order_;
  Stream stream_;
  StreamEvents<2> events_;
  DeviceBuffer<std::uint8_t> now_;
  DeviceBuffer<std::uint8_t> next_;
  DeviceBuffer<unsigned long long> totals_;
  LaunchSlices slices_;
  DeviceBuffer<std::uint64_t> digits_x_;  ///< from the first picture on
  DeviceBuffer<std::uint64_t> digits_y_;
  DeviceBuffer<std::uint64_t> digits_z_;
  SolidScene scene_;
  DeviceBuffer<std::uint32_t> pixels_;
  DeviceBuffer<SolidHit> picked_;
  PinnedBuffer<std::uint32_t> host_pixels_;
};

}  // namespace

std::unique_ptr<SolidEngine> make_engine(const SolidConfig& config, int device) {
  LOOM_CUDA(cudaSetDevice(device));
  return std::make_unique<CudaSolidEngine>(config, device);
}

}  // namespace loom::cuda
