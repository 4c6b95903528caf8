#include <cstdint>
#include <optional>

#include "compute/cuda/check.h"
#include "compute/cuda/device_buffer.h"
#include "compute/cuda/distributed/add_sums.h"
#include "compute/cuda/distributed/copy_segments.h"
#include "compute/cuda/engines.h"
#include "compute/cuda/stream.h"

namespace loom::cuda {
namespace {

class DeviceCompositor final : public ImageCompositor {
 public:
  explicit DeviceCompositor(const std::vector<int>& devices) : device_(devices.front()) {
    for (const int device : devices) {
      LOOM_CUDA(cudaSetDevice(device));
      counted_.emplace_back();
    }
    use_device();
    added_.emplace();
    from_.emplace(Event::Timing::kYes);
    to_.emplace(Event::Timing::kYes);
  }
  // Enqueued work writes into this object's memory.
  ~DeviceCompositor() override {
    LOOM_CUDA_QUIETLY(cudaSetDevice(device_));
    if (stream_) LOOM_CUDA_QUIETLY(cudaStreamSynchronize(stream_));
  }

  void reserve(std::span<FractalPartition* const> parts, const Viewport& viewport,
               MemorySpace space) override {
    for (FractalPartition* const part : parts) part->reserve_sums(viewport);
    const std::size_t area = area_of(viewport);
    use_device();
    if (area > cells_.size()) cells_hold_ = false;
    cells_.reserve(area);
    pixels_.reserve(area);
    if (space == MemorySpace::kHost) host_pixels_.reserve(area);
  }

  void begin(std::span<FractalPartition* const> parts, const Viewport& viewport, MemorySpace space,
             ProgressMonitor* monitor) override {
    const ProgressScope call(monitor, 1);
    call.check();
    reserve(parts, viewport, space);
    const std::size_t area = area_of(viewport);
    const bool on_host = space == MemorySpace::kHost;
    const std::size_t row_bytes = static_cast<std::size_t>(viewport.width()) * sizeof(std::uint16_t);
    stream_ = parts.front()->sums_stream();
    image_ = {.pixels = on_host ? host_pixels_.data() : pixels_.data(),
              .format = PixelFormat::kDensity16,
              .width = viewport.width(),
              .height = viewport.height(),
              .row_bytes = row_bytes,
              .stream = on_host ? DeviceStream{} : DeviceStream{device_, stream_}};
    from_->record(stream_);
    if (area > 0) add_up(parts, viewport, area);
    to_->record(stream_);
    if (on_host && area > 0) {
      LOOM_CUDA(cudaMemcpyAsync(host_pixels_.data(), pixels_.data(), area * sizeof(std::uint16_t),
                                cudaMemcpyDeviceToHost, stream_));
    }
  }

  Result end() override {
    use_device();
    LOOM_CUDA(cudaStreamSynchronize(stream_));
    return {image_, to_->milliseconds_since(*from_)};
  }
  bool is_enqueued() const override { return true; }

 private:
  static std::size_t area_of(const Viewport& viewport) {
    return static_cast<std::size_t>(viewport.width()) * static_cast<std::size_t>(viewport.height());
  }
  void use_device() const { LOOM_CUDA(cudaSetDevice(device_)); }

  void add_up(std::span<FractalPartition* const> parts, const Viewport& viewport, std::size_t area) {
    PartitionSums cells;
    PartitionSums living;
    bool other_cells = !cells_hold_;
    cells_hold_ = false;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const DevicePixelSums sums = parts[i]->enqueue_sums(viewport);
      cells.of[cells.count++] = sums.cells;
      living.of[living.count++] = sums.living;
      other_cells = other_cells || sums.other_cells;
      counted_[i].record(parts[i]->sums_stream());
    }
    for (const Event& counted : counted_) counted.make_wait(stream_);
    use_device();
    if (other_cells) add_sums(cells, area, cells_.data(), stream_);
    draw_sums(cells_.data(), living, viewport.states, area, pixels_.data(), stream_);
    cells_hold_ = true;
    // The next counts must not be written before these have been added.
    added_->record(stream_);
    for (FractalPartition* const part : parts) added_->make_wait(part->sums_stream());
  }

  int device_;
  cudaStream_t stream_ = nullptr;  ///< the stream of the partition that draws
  std::vector<Event> counted_;     ///< one per partition
  std::optional<Event> added_;
  std::optional<Event> from_;
  std::optional<Event> to_;
  bool cells_hold_ = false;  ///< cells_ matches the latest sums
  DeviceBuffer<unsigned long long> cells_;
  DeviceBuffer<std::uint16_t> pixels_;
  PinnedBuffer<std::uint16_t> host_pixels_;
  ImageView image_;
};

}  // namespace

std::unique_ptr<ImageCompositor> make_device_compositor(const std::vector<int>& devices) {
  if (devices.size() > PartitionSums::kMost || !enable_peer_access(devices)) return nullptr;
  return std::make_unique<DeviceCompositor>(devices);
}

}  // namespace loom::cuda
