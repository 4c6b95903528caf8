#include "compute/cuda/life/cuda_byte_partition.h"

#include <algorithm>

#include "compute/cuda/check.h"

namespace loom::cuda {
namespace {

std::vector<std::uint64_t> places_sent(const ByteBoundary& boundary) {
  std::vector<std::uint64_t> places;
  for (const std::uint32_t number : boundary.sent) places.push_back(boundary.boundary[number]);
  return places;
}

}  // namespace

CudaBytePartition::CudaBytePartition(const FractalConfig& config, const std::vector<TileRows>& parts,
                                     std::uint32_t number, int device)
    : CudaBytePartition(config, parts[number], number, device,
                        make_byte_boundary(make_tiled_fractal(config.fractal, config.level, config.tile_size),
                                           parts, number)) {}

CudaBytePartition::CudaBytePartition(const FractalConfig& config, TileRows rows, std::uint32_t number,
                                     int device, ByteBoundary boundary)
    : CudaByteEngine(
          config, rows,
          bytes_with_copies(part_of(make_tiled_fractal(config.fractal, config.level, config.tile_size), rows),
                            boundary),
          device, slices_of(device)),
      CudaPartition(number, device, stream_),
      boundary_(std::move(boundary)),
      copies_(part_bytes(fractal_).copies),
      boundary_places_(on_device(boundary_.boundary)),
      neighbours_(on_device(boundary_.beside)),
      sent_places_(on_device(places_sent(boundary_))),
      sent_numbers_(on_device(std::vector<std::uint64_t>(boundary_.sent.begin(), boundary_.sent.end()))),
      boundary_next_(boundary_.boundary.size() + 1),
      sent_(boundary_.sent.size() + 1),
      received_(boundary_.copies.size() + 1) {}

HaloBuffers CudaBytePartition::messages() {
  return {.sent = sent_.data(),
          .received = received_.data(),
          .element_bytes = 1,
          .stream = {device_, boundary_stream().get()}};
}

void CudaBytePartition::pack_boundary() {
  wait_boundary_for_generation();
  gather_bytes(now_.data(), sent_places_.data(), boundary_.sent.size(), sent_.data(), boundary_stream());
}

void CudaBytePartition::hear(std::uint8_t* cells) {
  if (boundary_.copies.empty()) return;
  LOOM_CUDA(cudaMemcpyAsync(cells + copies_, received_.data(), boundary_.copies.size(),
                            cudaMemcpyDeviceToDevice, boundary_stream().get()));
}

void CudaBytePartition::unpack_halo() {
  use_device();
  hear(now_.data());
}

void CudaBytePartition::begin_generations(LifeRule rule, std::uint32_t) {
  wait_boundary_for_generation();
  step_boundary(boundary_cells(), now_.data(), boundary_next_.data(), rule, boundary_stream());
  gather_bytes(boundary_next_.data(), sent_numbers_.data(), boundary_.sent.size(), sent_.data(),
               boundary_stream());
  signal_boundary_done();
}

// Without the halo, only cells next to other partitions are wrong, and those are the boundary, which is
// computed separately.
void CudaBytePartition::step_interior(LifeRule rule, std::uint32_t, bool) {
  use_device();
  enqueue_step(rule);
}

// Only the boundary stream waits for the halo: the next interior step does not read it.
void CudaBytePartition::end_generations(std::uint32_t times) {
  use_device();
  wait_interior_for_boundary();
  scatter_boundary(boundary_cells(), boundary_next_.data(), next_.data(), stream_);
  signal_generation_done();
  hear(next_.data());
  now_.swap(next_);
  generation_ += times;
}

void CudaBytePartition::roll_back_generation() {
  now_.swap(next_);
  --generation_;
}

void CudaBytePartition::roll_back_reset(std::uint64_t generation) {
  now_.swap(next_);
  generation_ = generation;
}

void CudaBytePartition::count_pixels(const Viewport& viewport, std::span<std::uint64_t> cells,
                                     std::span<std::uint64_t> living) {
  use_device();
  const unsigned long long* const counts =
      resolver_.count_pixels(stored(now_), viewport, monitor_, slices_, stream_);
  counts_on_host_.reserve(cells.size());
  LOOM_CUDA(cudaMemcpyAsync(counts_on_host_.data(), counts, cells.size_bytes(), cudaMemcpyDeviceToHost,
                            stream_.get()));
  stream_.wait();
  for (std::size_t i = 0; i < cells.size(); ++i) {
    cells[i] = counts_on_host_.data()[i] >> 32;
    living[i] = counts_on_host_.data()[i] & 0xffffffffu;
  }
}

void CudaBytePartition::reserve_sums(const Viewport& viewport) {
  use_device();
  resolver_.reserve(viewport);
  pixel_cells_.reserve(ImageBuffer::area_of(viewport));
  pixel_living_.reserve(ImageBuffer::area_of(viewport));
}

DevicePixelSums CudaBytePartition::enqueue_sums(const Viewport& viewport) {
  reserve_sums(viewport);
  const unsigned long long* const counts =
      resolver_.count_pixels(stored(now_), viewport, nullptr, slices_, stream_);
  take_counts_apart(counts, ImageBuffer::area_of(viewport), pixel_cells_.data(), pixel_living_.data(),
                    stream_);
  return {pixel_cells_.data(), pixel_living_.data()};
}

}  // namespace loom::cuda
