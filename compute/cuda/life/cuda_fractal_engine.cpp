#include "compute/cuda/life/cuda_fractal_engine.h"

#include <fmt/format.h>

#include <tuple>
#include <vector>

#include "compute/core/error.h"
#include "compute/core/stopwatch.h"
#include "compute/cuda/check.h"
#include "compute/engine/work_costs.h"
#include "compute/geometry/stored_cells.h"
#include "compute/map/dispatch.h"
#include "compute/workload/random_start.h"

namespace loom::cuda {
namespace {

/// Cells per copy in or out, a multiple of 8; the device has a buffer of this number of bits.
constexpr std::uint64_t kCopied = std::uint64_t{1} << 24;
/// The largest time of monitored generations between two waits.
constexpr double kSliceMilliseconds = 20;

std::string device_name(int device) {
  cudaDeviceProp properties{};
  LOOM_CUDA(cudaGetDeviceProperties(&properties, device));
  return fmt::format("cuda: {}", properties.name);
}

}  // namespace

CudaFractalEngine::CudaFractalEngine(const FractalConfig& config, std::uint64_t bytes, int device,
                                     const LaunchSlices& slices)
    : FractalEngine(config),
      fractal_(make_tiled_fractal(config.fractal, config.level, config.tile_size)),
      levels_(fractal_),
      stored_(storage_format(config.method)),
      device_(device),
      now_(bytes),
      next_(bytes),
      slices_(slices),
      name_(device_name(device)),
      totals_(2),
      answers_(1) {
  zero(now_);
  zero(next_);
  stream_.wait();
}

// Work may still be in progress: a frame that was begun and is no longer needed.
CudaFractalEngine::~CudaFractalEngine() {
  LOOM_CUDA_QUIETLY(cudaSetDevice(device_));
  LOOM_CUDA_QUIETLY(cudaStreamSynchronize(stream_.get()));
}

void CudaFractalEngine::use_device() const {
  LOOM_CUDA(cudaSetDevice(device_));
}

void CudaFractalEngine::zero(DeviceBuffer<std::uint8_t>& cells) {
  LOOM_CUDA(cudaMemsetAsync(cells.data(), 0, cells.size(), stream_.get()));
}

StepReport CudaFractalEngine::report() {
  events_.mark(kEdited, stream_);
  stream_.wait();
  StepReport report;
  report.milliseconds = events_.milliseconds(kStart, kEdited);
  report.allocated_bytes = allocated_bytes();
  return report;
}

// Cancellation must leave the cells unchanged, so that new cells are written into the other generation.

StepReport CudaFractalEngine::reset(const RandomStart& start) {
  use_device();
  const ProgressScope call(monitor_, cells_held(fractal_));
  events_.mark(kStart, stream_);
  enqueue_random(start.seed, density_threshold(start.density), call);
  now_.swap(next_);
  begin_anew();
  cells_changed();
  return report();
}

StepReport CudaFractalEngine::clear() {
  use_device();
  const ProgressScope call(monitor_, 1);
  call.check();
  events_.mark(kStart, stream_);
  zero(next_);
  now_.swap(next_);
  begin_anew();
  cells_changed();
  return report();
}

std::uint32_t CudaFractalEngine::slice_of(const Work& work) const {
  const double pace = pace_[static_cast<int>(work.workload)];
  return pace > 0 ? static_cast<std::uint32_t>(std::clamp(kSliceMilliseconds / pace, 1.0, 1e6)) : 1;
}

std::uint32_t CudaFractalEngine::enqueue_runs(std::uint32_t times, const Work& work,
                                              const ProgressScope& call) {
  if (times > 0) fit_cells(work);
  std::uint32_t done = 0;
  while (done < times && !call.cancelled()) {
    const std::uint32_t slice = call.watched() ? std::min(slice_of(work), times - done) : times;
    const Stopwatch stopwatch;
    if (slice > 0) enqueue_work(slice, work);
    done += slice;
    if (done == times) break;
    stream_.wait();
    pace_[static_cast<int>(work.workload)] = stopwatch.milliseconds() / slice;
    call.advance(slice);
  }
  return done;
}

// After the event that ends the work, because fetching the sum is not part of computing it.
void CudaFractalEngine::enqueue_sum(std::uint32_t times, const Work& work) {
  if (work.workload == Workload::kReduction && times > 0) enqueue_sum_copy(&answers_.data()->sum);
}

StepReport CudaFractalEngine::run_report(std::uint32_t times, const Work& work, double milliseconds) {
  StepReport done = work_costs(cell_count(), work.workload, times);
  done.milliseconds = milliseconds;
  if (times > 0) pace_[static_cast<int>(work.workload)] = milliseconds / times;
  if (work.workload == Workload::kReduction && times > 0) done.sum = answers_.data()->sum;
  done.allocated_bytes = allocated_bytes();
  return done;
}

StepReport CudaFractalEngine::run(std::uint32_t times, const Work& work) {
  use_device();
  const ProgressScope call(monitor_, times);
  events_.mark(kStart, stream_);
  const std::uint32_t done = enqueue_runs(times, work, call);
  events_.mark(kStepped, stream_);
  enqueue_sum(done, work);
  stream_.wait();
  return run_report(done, work, events_.milliseconds(kStart, kStepped));
}

void CudaFractalEngine::reserve_image(const Viewport& viewport, MemorySpace space) {
  reserve_resolve(viewport);
  if (space == MemorySpace::kHost) {
    host_pixels_.reserve(static_cast<std::size_t>(viewport.width()) *
                         static_cast<std::size_t>(viewport.height()));
  }
}

void CudaFractalEngine::enqueue_image(const Viewport& viewport, MemorySpace space) {
  enqueue_resolve(viewport);
  events_.mark(kResolved, stream_);
  const std::size_t area =
      static_cast<std::size_t>(viewport.width()) * static_cast<std::size_t>(viewport.height());
  if (space == MemorySpace::kHost && area > 0) {
    LOOM_CUDA(cudaMemcpyAsync(host_pixels_.data(), pixels(), area * sizeof(std::uint16_t),
                              cudaMemcpyDeviceToHost, stream_.get()));
  }
}

ImageView CudaFractalEngine::picture(const Viewport& viewport, MemorySpace space) const {
  const bool on_host = space == MemorySpace::kHost;
  return ImageView{.pixels = on_host ? host_pixels_.data() : pixels(),
                   .format = PixelFormat::kDensity16,
                   .width = viewport.width(),
                   .height = viewport.height(),
                   .row_bytes = static_cast<std::size_t>(viewport.width()) * sizeof(std::uint16_t),
                   .stream = on_host ? DeviceStream{} : DeviceStream{device_, stream_.get()}};
}

StepReport CudaFractalEngine::resolve(const Viewport& viewport, MemorySpace space, ImageView& image) {
  use_device();
  reserve_image(viewport, space);
  events_.mark(kStart, stream_);
  enqueue_image(viewport, space);
  stream_.wait();
  image = picture(viewport, space);
  StepReport done;
  done.milliseconds = events_.milliseconds(kStart, kResolved);
  done.allocated_bytes = allocated_bytes();
  return done;
}

std::optional<std::uint8_t> CudaFractalEngine::cell(Coord64 expanded) const {
  const std::uint64_t at = place_of(stored_, fractal_, expanded);
  if (at == kNoIndex) return std::nullopt;
  use_device();
  load_cell(stored(now_), at, &answers_.data()->cell, stream_);
  stream_.wait();
  return answers_.data()->cell;
}

std::uint64_t CudaFractalEngine::enqueue_edits(std::span<const CellEdit> edits) {
  writes_.reserve(edits.size());
  write_staging_.reserve(edits.size());
  CellWrite* const writes = write_staging_.data();
  std::uint64_t edited = 0;
  for (const CellEdit& edit : edits) {
    const std::uint64_t at = place_of(stored_, fractal_, edit.cell);
    if (at == kNoIndex) continue;
    writes[edited] = {at, static_cast<std::uint32_t>(edited), edit.state};
    if (stored_.cells == CellStorage::kBytes) hold(edit.state);
    ++edited;
  }
  // Threads write in arbitrary order, so that only the last edit of each cell may remain.
  std::sort(writes, writes + edited, [](const CellWrite& a, const CellWrite& b) {
    return std::tie(a.at, b.order) < std::tie(b.at, a.order);
  });
  const CellWrite* const end = std::unique(
      writes, writes + edited, [](const CellWrite& a, const CellWrite& b) { return a.at == b.at; });
  const auto count = static_cast<std::uint64_t>(end - writes);
  if (count > 0) {
    LOOM_CUDA(cudaMemcpyAsync(writes_.data(), writes, count * sizeof(CellWrite), cudaMemcpyHostToDevice,
                              stream_.get()));
    write_edits(stored(now_), writes_.data(), count, stream_);
    cells_changed();
  }
  return edited;
}

std::uint64_t CudaFractalEngine::edit(std::span<const CellEdit> edits) {
  use_device();
  const std::uint64_t edited = enqueue_edits(edits);
  if (edited > 0) stream_.wait();
  return edited;
}

// The frames of several panes on one device are ordered one after the other: concurrent frames would take as
// long in total, and no measured time would belong to a single pane. An engine over several devices may use
// this device as well.
void CudaFractalEngine::begin_frame(const FrameRequest& request) {
  use_device();
  const ProgressScope call(monitor_, std::uint64_t{request.generations} + (request.viewport ? 1 : 0));
  if (request.viewport) reserve_image(*request.viewport, request.space);
  if (const auto* before = dynamic_cast<const CudaFractalEngine*>(request.after)) {
    if (before->device_ == device_) events_.wait_for(before->events_, kEnded, stream_);
  } else if (request.after != nullptr) {
    request.after->wait_for_frame();
    use_device();
  }
  pending_frame_ = {};
  pending_frame_.work = request.work;
  FrameReport& done = pending_frame_.report;
  events_.mark(kStart, stream_);
  done.edited = enqueue_edits(request.edits);
  events_.mark(kEdited, stream_);
  pending_frame_.times = enqueue_runs(request.generations, request.work, call);
  events_.mark(kStepped, stream_);
  done.cancelled = pending_frame_.times < request.generations;
  if (request.viewport && !done.cancelled) {
    try {
      call.part(1, [&] { enqueue_image(*request.viewport, request.space); });
      pending_frame_.resolved = true;
      done.image = picture(*request.viewport, request.space);
    } catch (const OperationCancelled&) {
      done.cancelled = true;
    }
  }
  const std::uint64_t probed =
      request.probe && !done.cancelled ? place_of(stored_, fractal_, *request.probe) : kNoIndex;
  pending_frame_.probed = probed != kNoIndex;
  if (pending_frame_.probed) load_cell(stored(now_), probed, &answers_.data()->cell, stream_);
  enqueue_sum(pending_frame_.times, request.work);
  events_.mark(kEnded, stream_);
}

void CudaFractalEngine::wait_for_frame() const {
  use_device();
  stream_.wait();
}

FrameReport CudaFractalEngine::end_frame() {
  use_device();
  stream_.wait();
  FrameReport& done = pending_frame_.report;
  done.edit_milliseconds = events_.milliseconds(kStart, kEdited);
  done.step = run_report(pending_frame_.times, pending_frame_.work, events_.milliseconds(kEdited, kStepped));
  if (pending_frame_.resolved) {
    done.resolve.milliseconds = events_.milliseconds(kStepped, kResolved);
    done.resolve.allocated_bytes = allocated_bytes();
  }
  if (pending_frame_.probed) done.probed = answers_.data()->cell;
  return done;
}

void CudaFractalEngine::enqueue_random(std::uint64_t seed, std::uint64_t threshold,
                                       const ProgressScope& call) {
  in_slices(call, cells_held(fractal_), 1, [&](std::uint64_t first, std::uint64_t count) {
    fill_random(stored(next_), first, count, seed, threshold, stream_);
  });
}

void CudaFractalEngine::enqueue_census(unsigned long long* totals, const ProgressScope& call) const {
  in_slices(call, cells_held(fractal_), 1, [&](std::uint64_t first, std::uint64_t count) {
    add_census(stored(now_), first, count, totals, stream_);
  });
}

Census CudaFractalEngine::census() const {
  use_device();
  const ProgressScope call(monitor_, cells_held(fractal_));
  LOOM_CUDA(cudaMemsetAsync(totals_.data(), 0, 2 * sizeof(unsigned long long), stream_.get()));
  enqueue_census(totals_.data(), call);
  unsigned long long* const census = answers_.data()->census;
  LOOM_CUDA(cudaMemcpyAsync(census, totals_.data(), 2 * sizeof(unsigned long long), cudaMemcpyDeviceToHost,
                            stream_.get()));
  stream_.wait();
  return {census[0], census[1]};
}

template <typename Copy>
void CudaFractalEngine::in_parts(std::uint64_t first, std::uint64_t count, const Copy& copy) const {
  if (count == 0) return;
  use_device();
  const ProgressScope call(monitor_, count);
  dense_.reserve((std::min(count, kCopied) + 31) / 32);
  for (const std::uint64_t end = first + count; first < end; first += kCopied) {
    call.check();
    const std::uint64_t part = std::min(kCopied, end - first);
    copy(first, part);
    call.advance(part);
  }
}

void CudaFractalEngine::fetch_bits(std::uint64_t first, std::uint64_t count, std::uint32_t plane,
                                   std::uint8_t* bits) const {
  gather_cells(stored(now_), first, count, plane, dense_.data(), stream_);
  LOOM_CUDA(
      cudaMemcpyAsync(bits, dense_.data(), bytes_of_bits(count), cudaMemcpyDeviceToHost, stream_.get()));
  stream_.wait();
}

void CudaFractalEngine::put_bits(std::uint64_t first, std::uint64_t count, std::uint32_t plane,
                                 const std::uint8_t* bits) {
  LOOM_CUDA(
      cudaMemcpyAsync(dense_.data(), bits, bytes_of_bits(count), cudaMemcpyHostToDevice, stream_.get()));
  scatter_cells(stored(now_), first, count, plane, reinterpret_cast<const std::uint8_t*>(dense_.data()),
                stream_);
  stream_.wait();
}

void CudaFractalEngine::read_cells(std::uint64_t first, std::span<std::uint8_t> cells) const {
  check_cell_range(cell_count(), first, cells.size());
  const std::uint64_t most = std::min<std::uint64_t>(cells.size(), kCopied);
  std::vector<std::uint8_t> bits(bytes_of_bits(most));
  std::vector<std::uint8_t> plane(states_ > 2 ? most : 0);
  in_parts(first, cells.size(), [&](std::uint64_t at, std::uint64_t count) {
    const std::span<std::uint8_t> part = cells.subspan(at - first, count);
    fetch_bits(at, count, 0, bits.data());
    unpack_cells(bits.data(), part);
    for (std::uint32_t p = 1; p < planes_of(states_); ++p) {
      fetch_bits(at, count, p, bits.data());
      unpack_cells(bits.data(), std::span(plane).first(count));
      for (std::size_t i = 0; i < count; ++i) part[i] = static_cast<std::uint8_t>(part[i] | plane[i] << p);
    }
  });
}

void CudaFractalEngine::write_cells(std::uint64_t first, std::span<const std::uint8_t> cells) {
  check_cell_range(cell_count(), first, cells.size());
  const std::uint64_t most = std::min<std::uint64_t>(cells.size(), kCopied);
  const bool bytes = stored_.cells == CellStorage::kBytes;
  if (bytes) hold(cells);
  std::vector<std::uint8_t> bits(bytes_of_bits(most));
  std::vector<std::uint8_t> plane(most);
  cells_changed();
  in_parts(first, cells.size(), [&](std::uint64_t at, std::uint64_t count) {
    for (std::uint32_t p = 0; p < planes_of(states_); ++p) {
      std::ranges::transform(cells.subspan(at - first, count), plane.begin(), [&](std::uint8_t state) {
        return static_cast<std::uint8_t>(bytes ? state >> p & 1 : state == 1);
      });
      pack_cells(std::span<const std::uint8_t>(plane).first(count), bits.data());
      put_bits(at, count, p, bits.data());
    }
  });
}

// Waited for: a partition's boundary, on a stream of its own, waits for the last generation alone.
void CudaFractalEngine::drop_states(std::uint32_t states) {
  use_device();
  cuda::drop_states(now_.data(), now_.size(), states, stream_);
  stream_.wait();
  cells_changed();
}

void CudaFractalEngine::read_bits(std::span<std::uint8_t> bits) const {
  const std::uint32_t planes = check_bits(bits.size());
  in_parts(0, fractal_.cells, [&](std::uint64_t at, std::uint64_t count) {
    for (std::uint32_t p = 0; p < planes; ++p)
      fetch_bits(at, count, p, bits.data() + p * bytes_of_bits(fractal_.cells) + at / 8);
  });
}

void CudaFractalEngine::write_bits(std::span<const std::uint8_t> bits) {
  const std::uint32_t planes = check_bits(bits.size());
  if (planes > 1 && stored_.cells == CellStorage::kBits)
    return write_bits(living_bits(bits, bits.size() / planes));
  cells_changed();
  if (planes > 1) states_ = std::max(states_, std::min(1u << planes, LifeRule::kMaxStates));
  in_parts(0, fractal_.cells, [&](std::uint64_t at, std::uint64_t count) {
    for (std::uint32_t p = 0; p < planes; ++p)
      put_bits(at, count, p, bits.data() + p * bytes_of_bits(fractal_.cells) + at / 8);
  });
}

}  // namespace loom::cuda
