#include "compute/cuda/life/cuda_byte_part.h"

#include <algorithm>

#include "compute/cuda/check.h"

namespace loom::cuda {
namespace {

std::vector<std::uint64_t> places_told(const ByteRim& rim) {
  std::vector<std::uint64_t> places;
  for (const std::uint32_t number : rim.told) places.push_back(rim.rim[number]);
  return places;
}

}  // namespace

CudaBytePart::CudaBytePart(const FractalConfig& config, const std::vector<BlockRows>& parts,
                           std::uint32_t number, int device)
    : CudaBytePart(config, parts[number], number, device,
                   make_byte_rim(make_blocked(config.fractal, config.level, config.block), parts, number)) {}

CudaBytePart::CudaBytePart(const FractalConfig& config, BlockRows rows, std::uint32_t number, int device,
                           ByteRim rim)
    : CudaByteEngine(
          config, rows,
          bytes_with_copies(part_of(make_blocked(config.fractal, config.level, config.block), rows), rim),
          device, slices_of(device)),
      CudaPart(number, device, stream_),
      rim_(std::move(rim)),
      copies_(part_bytes(fractal_).copies),
      rim_places_(on_device(rim_.rim)),
      beside_(on_device(rim_.beside)),
      told_places_(on_device(places_told(rim_))),
      told_numbers_(on_device(std::vector<std::uint64_t>(rim_.told.begin(), rim_.told.end()))),
      rim_next_(rim_.rim.size() + 1),
      told_(rim_.told.size() + 1),
      heard_(rim_.copies.size() + 1) {}

PartMessages CudaBytePart::messages() {
  return {.space = MemorySpace::kCudaDevice,
          .told = told_.data(),
          .heard = heard_.data(),
          .bytes_of_one = 1,
          .cuda_device = device_,
          .cuda_stream = rim_stream().get()};
}

void CudaBytePart::tell_cells() {
  rim_follows_generation();
  gather_bytes(now_.data(), told_places_.data(), rim_.told.size(), told_.data(), rim_stream());
}

void CudaBytePart::hear(std::uint8_t* cells) {
  if (rim_.copies.empty()) return;
  LOOM_CUDA(cudaMemcpyAsync(cells + copies_, heard_.data(), rim_.copies.size(), cudaMemcpyDeviceToDevice,
                            rim_stream().get()));
}

void CudaBytePart::hear_cells() {
  use_device();
  hear(now_.data());
}

void CudaBytePart::begin_generations(LifeRule rule, std::uint32_t) {
  rim_follows_generation();
  step_rim(rim_cells(), now_.data(), rim_next_.data(), rule, rim_stream());
  gather_bytes(rim_next_.data(), told_numbers_.data(), rim_.told.size(), told_.data(), rim_stream());
  rim_is_made();
}

// Without the halo, only cells next to other partitions are wrong, and those are the boundary, which is
// computed separately.
void CudaBytePart::step_inside(LifeRule rule, std::uint32_t, bool) {
  use_device();
  enqueue_step(rule);
}

// Only the boundary stream waits for the halo: the next interior step does not read it.
void CudaBytePart::end_generations(std::uint32_t times) {
  use_device();
  inside_follows_rim();
  place_rim(rim_cells(), rim_next_.data(), next_.data(), stream_);
  generation_is_made();
  hear(next_.data());
  now_.swap(next_);
  generation_ += times;
}

void CudaBytePart::take_back_generation() {
  now_.swap(next_);
  --generation_;
}

void CudaBytePart::take_back_reset(std::uint64_t generation) {
  now_.swap(next_);
  generation_ = generation;
}

void CudaBytePart::count_pixels(const Viewport& viewport, std::span<std::uint64_t> cells,
                                std::span<std::uint64_t> living) {
  use_device();
  const unsigned long long* const counts =
      resolver_.count_pixels(stored(now_), viewport, watch_, slices_, stream_);
  counts_on_host_.reserve(cells.size());
  LOOM_CUDA(cudaMemcpyAsync(counts_on_host_.data(), counts, cells.size_bytes(), cudaMemcpyDeviceToHost,
                            stream_.get()));
  stream_.wait();
  for (std::size_t i = 0; i < cells.size(); ++i) {
    cells[i] = counts_on_host_.data()[i] >> 32;
    living[i] = counts_on_host_.data()[i] & 0xffffffffu;
  }
}

void CudaBytePart::reserve_sums(const Viewport& viewport) {
  use_device();
  resolver_.reserve(viewport);
  pixel_cells_.reserve(PictureMemory::area_of(viewport));
  pixel_living_.reserve(PictureMemory::area_of(viewport));
}

DevicePixelSums CudaBytePart::enqueue_sums(const Viewport& viewport) {
  reserve_sums(viewport);
  const unsigned long long* const counts =
      resolver_.count_pixels(stored(now_), viewport, nullptr, slices_, stream_);
  take_counts_apart(counts, PictureMemory::area_of(viewport), pixel_cells_.data(), pixel_living_.data(),
                    stream_);
  return {pixel_cells_.data(), pixel_living_.data()};
}

}  // namespace loom::cuda
