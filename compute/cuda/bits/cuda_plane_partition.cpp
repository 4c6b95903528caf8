#include "compute/cuda/bits/cuda_plane_partition.h"

#include <algorithm>

namespace loom::cuda {
namespace {

std::uint64_t bytes_with_copies(const FractalConfig& config, GroupRange part, const PlaneBoundary& boundary) {
  const BitPlanes whole = make_bit_planes(config.fractal.shape(), config.level);
  return words_with_copies(part_of(whole, part), boundary) * (whole.wide() ? 8 : 4);
}

}  // namespace

CudaPlanePartition::CudaPlanePartition(const FractalConfig& config, const std::vector<GroupRange>& parts,
                                       std::uint32_t number, int device)
    : CudaPlanePartition(
          config, parts, number, device,
          make_plane_boundary(make_bit_planes(config.fractal.shape(), config.level), parts, number)) {}

CudaPlanePartition::CudaPlanePartition(const FractalConfig& config, const std::vector<GroupRange>& parts,
                                       std::uint32_t number, int device, PlaneBoundary boundary)
    : CudaPlaneEngine(config, parts[number], bytes_with_copies(config, parts[number], boundary), device,
                      slices_of(device)),
      CudaPartition(number, device, stream_),
      boundary_(std::move(boundary)),
      boundary_is_patch_(step_.patches().can_hold(boundary_)),
      listed_(on_device(boundary_.listed)),
      sent_places_(on_device(boundary_.sent)),
      boundary_next_((boundary_.boundary.size() + BitPlanes::kInterleave) * bytes_of_thread()),
      sent_((boundary_.sent.size() + 1) * bytes_of_thread()),
      received_((boundary_.copies.size() + 1) * bytes_of_thread()) {
  std::vector<std::uint32_t> sent;
  for (const std::uint32_t place : boundary_.sent) sent.push_back(boundary_.boundary[place]);
  sent_threads_ = on_device(sent);
  if (boundary_is_patch_) {
    neighbours_in_patch_ = on_device(PlanePatches::patch_neighbours(boundary_));
  } else {
    neighbours_ = on_device(boundary_.beside);
  }
}

HaloBuffers CudaPlanePartition::messages() {
  return {.sent = sent_.data(),
          .received = received_.data(),
          .element_bytes = bytes_of_thread(),
          .stream = {device_, boundary_stream().get()}};
}

ThreadList CudaPlanePartition::copies() const {
  return {.first = boundary_.first_copy, .count = static_cast<std::uint32_t>(boundary_.copies.size())};
}

void CudaPlanePartition::pack_boundary() {
  wait_boundary_for_generation();
  pack_words(planes_, now_.data(),
             {.threads = sent_threads_.data(), .count = static_cast<std::uint32_t>(boundary_.sent.size())},
             sent_.data(), boundary_stream());
}

void CudaPlanePartition::unpack_halo() {
  use_device();
  unpack_words(planes_, received_.data(), now_.data(), copies(), boundary_stream());
}

std::uint32_t CudaPlanePartition::max_generations_per_exchange() const {
  return boundary_is_patch_ ? step_.generations_per_launch(generations_alone(planes_)) : 1;
}

void CudaPlanePartition::begin_generations(LifeRule rule, std::uint32_t times) {
  wait_boundary_for_generation();
  if (boundary_.boundary.empty()) return signal_boundary_done();
  const auto inside = static_cast<std::uint32_t>(boundary_.boundary.size());
  const auto listed = static_cast<std::uint32_t>(boundary_.listed.size());
  const auto sent = static_cast<std::uint32_t>(boundary_.sent.size());
  if (boundary_is_patch_) {
    const BoundaryPatch patch{.groups = listed_.data(),
                              .beside = neighbours_in_patch_.data(),
                              .inside = inside,
                              .members = listed,
                              .sent = sent_places_.data(),
                              .sent_count = sent,
                              .messages = sent_.data()};
    step_.patches().step_boundary(now_.data(), boundary_next_.data(), patch, rule, times, boundary_stream());
  } else {
    step_.step_boundary(now_.data(), boundary_next_.data(),
                        {listed_.data(), neighbours_.data(), inside, listed}, rule, boundary_stream());
    pack_words(planes_, boundary_next_.data(), {.threads = sent_places_.data(), .count = sent}, sent_.data(),
               boundary_stream());
  }
  signal_boundary_done();
}

// Without the halo, only cells next to other partitions are wrong, and those are the boundary, which is
// computed separately.
void CudaPlanePartition::step_interior(LifeRule rule, std::uint32_t times, bool last) {
  use_device();
  counts_ = last && resolver_.reserved();
  step_.step(now_.data(), next_.data(), counts_ ? resolver_.living() : nullptr, rule, times, slices_,
             stream_);
}

// Only the boundary stream waits for the halo: the next interior step does not read it.
void CudaPlanePartition::end_generations(std::uint32_t times) {
  use_device();
  wait_interior_for_boundary();
  scatter_boundary(
      planes_, boundary_next_.data(), next_.data(),
      {.threads = listed_.data(), .count = static_cast<std::uint32_t>(boundary_.boundary.size())},
      counts_ ? resolver_.living() : nullptr, stream_);
  signal_generation_done();
  unpack_words(planes_, received_.data(), next_.data(), copies(), boundary_stream());
  now_.swap(next_);
  generation_ += times;
  resolver_.set_count_state(counts_ ? CountState::kGroups : CountState::kNothing);
}

void CudaPlanePartition::roll_back_generation() {
  now_.swap(next_);
  --generation_;
  resolver_.set_count_state(CountState::kNothing);
}

void CudaPlanePartition::roll_back_reset(std::uint64_t generation) {
  now_.swap(next_);
  generation_ = generation;
  resolver_.set_count_state(CountState::kNothing);
}

// The counts are enqueued on the interior's stream, after the interior.
void CudaPlanePartition::count_pixels(const Viewport& viewport, std::span<std::uint64_t> cells,
                                      std::span<std::uint64_t> living) {
  use_device();
  const PlaneResolver::PixelSums sums = resolver_.count_pixels(stored(now_), viewport, stream_);
  sums_on_host_.reserve(2 * cells.size());
  LOOM_CUDA(cudaMemcpyAsync(sums_on_host_.data(), sums.cells, cells.size_bytes(), cudaMemcpyDeviceToHost,
                            stream_.get()));
  LOOM_CUDA(cudaMemcpyAsync(sums_on_host_.data() + cells.size(), sums.living, living.size_bytes(),
                            cudaMemcpyDeviceToHost, stream_.get()));
  stream_.wait();
  std::copy_n(sums_on_host_.data(), cells.size(), cells.begin());
  std::copy_n(sums_on_host_.data() + cells.size(), living.size(), living.begin());
}

void CudaPlanePartition::reserve_sums(const Viewport& viewport) {
  use_device();
  resolver_.reserve(viewport);
}

DevicePixelSums CudaPlanePartition::enqueue_sums(const Viewport& viewport) {
  use_device();
  const PlaneResolver::PixelSums sums = resolver_.count_pixels(stored(now_), viewport, stream_);
  return {sums.cells, sums.living, sums.other_cells};
}

}  // namespace loom::cuda
