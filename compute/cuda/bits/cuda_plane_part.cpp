#include "compute/cuda/bits/cuda_plane_part.h"

#include <algorithm>

namespace loom::cuda {
namespace {

std::uint64_t bytes_with_copies(const FractalConfig& config, PlaneRange part, const PartRim& rim) {
  const BitPlanes whole = make_bit_planes(config.fractal.shape(), config.level);
  return words_with_copies(part_of(whole, part), rim) * (whole.wide() ? 8 : 4);
}

}  // namespace

CudaPlanePart::CudaPlanePart(const FractalConfig& config, const std::vector<PlaneRange>& parts,
                             std::uint32_t number, int device)
    : CudaPlanePart(config, parts, number, device,
                    make_part_rim(make_bit_planes(config.fractal.shape(), config.level), parts, number)) {}

CudaPlanePart::CudaPlanePart(const FractalConfig& config, const std::vector<PlaneRange>& parts,
                             std::uint32_t number, int device, PartRim rim)
    : CudaPlaneEngine(config, parts[number], bytes_with_copies(config, parts[number], rim), device,
                      slices_of(device)),
      CudaPart(number, device, stream_),
      rim_(std::move(rim)),
      rim_is_patch_(step_.patches().can_hold(rim_)),
      listed_(on_device(rim_.listed)),
      told_places_(on_device(rim_.told)),
      rim_next_((rim_.rim.size() + BitPlanes::kTogether) * bytes_of_thread()),
      told_((rim_.told.size() + 1) * bytes_of_thread()),
      heard_((rim_.copies.size() + 1) * bytes_of_thread()) {
  std::vector<std::uint32_t> told;
  for (const std::uint32_t place : rim_.told) told.push_back(rim_.rim[place]);
  told_threads_ = on_device(told);
  if (rim_is_patch_) {
    beside_in_patch_ = on_device(PlanePatches::beside_of(rim_));
  } else {
    beside_ = on_device(rim_.beside);
  }
}

PartMessages CudaPlanePart::messages() {
  return {.space = MemorySpace::kCudaDevice,
          .told = told_.data(),
          .heard = heard_.data(),
          .bytes_of_one = bytes_of_thread(),
          .cuda_device = device_,
          .cuda_stream = rim_stream().get()};
}

ThreadList CudaPlanePart::copies() const {
  return {.first = rim_.first_copy, .count = static_cast<std::uint32_t>(rim_.copies.size())};
}

void CudaPlanePart::tell_cells() {
  rim_follows_generation();
  pack_words(planes_, now_.data(),
             {.threads = told_threads_.data(), .count = static_cast<std::uint32_t>(rim_.told.size())},
             told_.data(), rim_stream());
}

void CudaPlanePart::hear_cells() {
  use_device();
  unpack_words(planes_, heard_.data(), now_.data(), copies(), rim_stream());
}

std::uint32_t CudaPlanePart::most_at_once() const {
  return rim_is_patch_ ? step_.at_once(generations_alone(planes_)) : 1;
}

void CudaPlanePart::begin_generations(LifeRule rule, std::uint32_t times) {
  rim_follows_generation();
  if (rim_.rim.empty()) return rim_is_made();
  const auto inside = static_cast<std::uint32_t>(rim_.rim.size());
  const auto listed = static_cast<std::uint32_t>(rim_.listed.size());
  const auto told = static_cast<std::uint32_t>(rim_.told.size());
  if (rim_is_patch_) {
    const RimPatch patch{.groups = listed_.data(),
                         .beside = beside_in_patch_.data(),
                         .inside = inside,
                         .members = listed,
                         .told = told_places_.data(),
                         .told_count = told,
                         .messages = told_.data()};
    step_.patches().step_rim(now_.data(), rim_next_.data(), patch, rule, times, rim_stream());
  } else {
    step_.step_rim(now_.data(), rim_next_.data(), {listed_.data(), beside_.data(), inside, listed}, rule,
                   rim_stream());
    pack_words(planes_, rim_next_.data(), {.threads = told_places_.data(), .count = told}, told_.data(),
               rim_stream());
  }
  rim_is_made();
}

// Without the halo, only cells next to other partitions are wrong, and those are the boundary, which is
// computed separately.
void CudaPlanePart::step_inside(LifeRule rule, std::uint32_t times, bool last) {
  use_device();
  counts_ = last && resolver_.reserved();
  step_.step(now_.data(), next_.data(), counts_ ? resolver_.living() : nullptr, rule, times, slices_,
             stream_);
}

// Only the boundary stream waits for the halo: the next interior step does not read it.
void CudaPlanePart::end_generations(std::uint32_t times) {
  use_device();
  inside_follows_rim();
  place_rim(planes_, rim_next_.data(), next_.data(),
            {.threads = listed_.data(), .count = static_cast<std::uint32_t>(rim_.rim.size())},
            counts_ ? resolver_.living() : nullptr, stream_);
  generation_is_made();
  unpack_words(planes_, heard_.data(), next_.data(), copies(), rim_stream());
  now_.swap(next_);
  generation_ += times;
  resolver_.set_counted(counts_ ? Counted::kGroups : Counted::kNothing);
}

void CudaPlanePart::take_back_generation() {
  now_.swap(next_);
  --generation_;
  resolver_.set_counted(Counted::kNothing);
}

void CudaPlanePart::take_back_reset(std::uint64_t generation) {
  now_.swap(next_);
  generation_ = generation;
  resolver_.set_counted(Counted::kNothing);
}

// The counts are enqueued on the interior's stream, after the interior.
void CudaPlanePart::count_pixels(const Viewport& viewport, std::span<std::uint64_t> cells,
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

void CudaPlanePart::reserve_sums(const Viewport& viewport) {
  use_device();
  resolver_.reserve(viewport);
}

DevicePixelSums CudaPlanePart::enqueue_sums(const Viewport& viewport) {
  use_device();
  const PlaneResolver::PixelSums sums = resolver_.count_pixels(stored(now_), viewport, stream_);
  return {sums.cells, sums.living, sums.other_cells};
}

}  // namespace loom::cuda
