#include "compute/cpu/bits/cpu_plane_engine.h"

#include <omp.h>

#include <algorithm>
#include <atomic>
#include <bit>

#include "compute/cpu/bits/plane_bits.h"
#include "compute/cpu/life/canonical_walk.h"
#include "compute/engine/density.h"
#include "compute/engine/plane_words.h"
#include "compute/engine/work_costs.h"

namespace loom::cpu {
namespace {

/// Groups that a thread processes between two tests for cancellation: a fraction of a millisecond.
constexpr std::uint64_t kGroupsInRun = 32;

/// The bits of one group in the words of its thread, for all planes.
class Slots {
 public:
  Slots(const BitPlanes& planes, std::uint8_t* cells, std::uint32_t group)
      : planes_(planes),
        first_(planes.first_word(group / planes.groups_in_word)),
        shift_(group % planes.groups_in_word * static_cast<std::uint32_t>(planes.split.slot_bits)),
        cells_(cells) {}
  std::uint64_t load(std::uint32_t plane) const {
    const std::uint64_t at = first_ + std::uint64_t{plane} * BitPlanes::kInterleave;
    if (planes_.wide()) return reinterpret_cast<const std::uint64_t*>(cells_)[at];
    return (reinterpret_cast<const std::uint32_t*>(cells_)[at] >> shift_) & planes_.slot_mask();
  }
  /// Must not run while another thread stores the other group of the same words.
  void store(std::uint32_t plane, std::uint64_t slot) const {
    const std::uint64_t at = first_ + std::uint64_t{plane} * BitPlanes::kInterleave;
    if (planes_.wide()) {
      reinterpret_cast<std::uint64_t*>(cells_)[at] = slot;
      return;
    }
    std::uint32_t& word = reinterpret_cast<std::uint32_t*>(cells_)[at];
    if (shift_ == 0) word = 0;  // the groups of a word are stored in order, and the second one may not exist
    word |= static_cast<std::uint32_t>(slot) << shift_;
  }

 private:
  const BitPlanes& planes_;
  std::uint64_t first_;
  std::uint32_t shift_;
  std::uint8_t* cells_;
};

/// Calls `visit(group)` for all groups, in parallel; the groups of one word are visited by the same thread,
/// in order. kGroupsInRun groups are `units` units of `call`; if it is cancelled, some groups are not
/// visited.
template <typename Visit>
void for_each_group(const BitPlanes& planes, const ProgressScope& call, std::uint64_t units,
                    const Visit& visit) {
  const auto runs = static_cast<std::int64_t>((planes.groups + kGroupsInRun - 1) / kGroupsInRun);
#pragma omp parallel for schedule(static)
  for (std::int64_t r = 0; r < runs; ++r) {
    if (call.cancelled()) continue;
    const auto begin = static_cast<std::uint32_t>(static_cast<std::uint64_t>(r) * kGroupsInRun);
    const auto end = static_cast<std::uint32_t>(
        std::min<std::uint64_t>(std::uint64_t{begin} + kGroupsInRun, planes.groups));
    for (std::uint32_t group = begin; group < end; ++group) visit(group);
    call.advance(units * (end - begin) / kGroupsInRun);
  }
}

}  // namespace

CpuPlaneEngine::CpuPlaneEngine(const FractalConfig& config)
    : CpuPlaneEngine(config, {}, bytes_needed(config) / 2) {}

CpuPlaneEngine::CpuPlaneEngine(const FractalConfig& config, GroupRange part, std::uint64_t bytes)
    : CpuFractalEngine(config, bytes),
      planes_(part_of(make_bit_planes(fractal_), part)),
      tiles_(make_plane_tree(planes_)),
      step_(planes_) {
  stored_.part = part;
}

void CpuPlaneEngine::fill_random(std::uint8_t* cells, std::uint64_t seed, std::uint64_t threshold,
                                 const ProgressScope& call) {
  for_each_group(planes_, call, kGroupsInRun * tiles_.cells[0], [&](std::uint32_t number) {
    const Slots slots(planes_, cells, number);
    const PlaneGroup group = plane_group(tiles_, number);
    for (std::uint32_t p = 0; p < planes_.planes; ++p)
      slots.store(p, random_slot(tiles_, group, p, seed, threshold));
  });
  call.check();
}

bool CpuPlaneEngine::run_once(const Work& work, bool last, const ProgressScope& call, std::uint64_t& sum) {
  switch (work.workload) {
    case Workload::kSingleWrite: {
      std::uint8_t* const target = next_.data();
      const auto generation = static_cast<std::uint32_t>(generation_);
      for_each_group(planes_, call, 1, [&](std::uint32_t number) {
        const Slots slots(planes_, target, number);
        const PlaneGroup group = plane_group(tiles_, number);
        for (std::uint32_t p = 0; p < planes_.planes; ++p)
          slots.store(p, single_write_slot(tiles_, group, p, generation));
      });
      if (call.cancelled()) return false;
      count_state_ = CountState::kNothing;
      break;
    }
    case Workload::kReduction: {
      std::atomic<std::uint64_t> found{0};
      for_each_group(planes_, call, 1, [&](std::uint32_t number) {
        const Slots slots(planes_, now_.data(), number);
        const PlaneGroup group = plane_group(tiles_, number);
        std::uint64_t part = 0;
        for (std::uint32_t p = 0; p < planes_.planes; ++p)
          part += sum_of_slot(tiles_, group, p, slots.load(p));
        found.fetch_add(part, std::memory_order_relaxed);
      });
      if (call.cancelled()) return false;
      sum = found;
      return true;
    }
    case Workload::kLife: {
      const bool count = image_requested_ && last;
      step_.step(now_.data(), next_.data(), count ? living_.data() : nullptr, work.rule, call);
      if (call.cancelled()) {
        if (count)
          count_state_ = CountState::kNothing;  // living_ is partially written, the cells are unchanged
        return false;
      }
      count_state_ = count ? CountState::kGroups : CountState::kNothing;
      break;
    }
  }
  now_.swap(next_);
  ++generation_;
  return true;
}

void CpuPlaneEngine::run_times(std::uint32_t times, const Work& work, const ProgressScope& call,
                               std::uint32_t& done, std::uint64_t& sum) {
  while (done < times && !call.cancelled() && run_once(work, done + 1 == times, call, sum)) ++done;
}

Census CpuPlaneEngine::census() const {
  const ProgressScope call(monitor_, fractal_.cells);
  CensusSums sums;
  for_each_group(planes_, call, kGroupsInRun * tiles_.cells[0], [&](std::uint32_t number) {
    const Slots slots(planes_, now_.data(), number);
    const PlaneGroup group = plane_group(tiles_, number);
    std::uint64_t living = 0;
    std::uint64_t terms = 0;
    for (std::uint32_t p = 0; p < planes_.planes; ++p) {
      const std::uint64_t slot = slots.load(p);
      living += static_cast<std::uint64_t>(std::popcount(slot));
      terms += hash_of_slot(tiles_, group, p, slot);
    }
    sums.add(living, terms);
  });
  call.check();
  return sums.total();
}

void CpuPlaneEngine::read_bits(std::span<std::uint8_t> bits) const {
  check_bits(bits.size());
  read_plane_bits(planes_, now_.data(), bits, ProgressScope(monitor_, fractal_.cells));
}

void CpuPlaneEngine::write_bits(std::span<const std::uint8_t> bits) {
  check_bits(bits.size());
  const ProgressScope call(monitor_, fractal_.cells);
  cells_changed();
  write_plane_bits(planes_, bits, now_.data(), call);
}

ThreadCount CpuPlaneEngine::count_threads() const {
  // The lanes of the vectors are the threads, including those of the last row that have no group.
  const std::uint64_t launched = step_.units() * BitPlanes::kInterleave;
  std::uint64_t active = 0;
#pragma omp parallel for schedule(static) reduction(+ : active)
  for (std::uint64_t t = 0; t < launched; ++t) active += t * planes_.groups_in_word < planes_.groups ? 1 : 0;
  return {.tiles_launched = step_.units(),
          .tiles_occupied = step_.units(),
          .threads_launched = launched,
          .threads_active = active,
          .threads_without_tile = launched - active};
}

void CpuPlaneEngine::count_living() {
  const ProgressScope call(monitor_, count_state_ == CountState::kNothing ? planes_.groups : 1);
  if (count_state_ == CountState::kTiles) return;
  if (count_state_ == CountState::kNothing) {
    for_each_group(planes_, call, kGroupsInRun, [&](std::uint32_t number) {
      const Slots slots(planes_, now_.data(), number);
      int living = 0;
      for (std::uint32_t p = 0; p < planes_.planes; ++p) living += std::popcount(slots.load(p));
      living_[number] = static_cast<std::uint16_t>(living);
    });
    call.check();
    count_state_ = CountState::kGroups;
  }
  for (int height = 1; height <= tiles_.top; ++height) {
    const auto count = static_cast<std::int64_t>(tiles_.tiles[height]);
#pragma omp parallel for schedule(static) if (count > 1024)
    for (std::int64_t tile = 0; tile < count; ++tile) {
      living_above_[tiles_.first[height] + static_cast<std::uint64_t>(tile)] = living_of_children(
          tiles_, living_.data(), living_above_.data(), height, static_cast<std::uint64_t>(tile));
    }
  }
  count_state_ = CountState::kTiles;
}

void CpuPlaneEngine::paint(const Viewport& viewport, std::uint16_t* pixels) {
  const ProgressScope call(monitor_, 1);
  call.part(1, [&] { count_pixels(viewport); });
  const auto area = static_cast<std::int64_t>(viewport.width()) * viewport.height();
#pragma omp parallel for schedule(static) if (area > 4096)
  for (std::int64_t i = 0; i < area; ++i) {
    const auto at = static_cast<std::size_t>(i);
    pixels[at] = density_value(pixel_cells_[at], pixel_living_[at]);
  }
}

void CpuPlaneEngine::count_pixels(const Viewport& viewport) {
  if (!image_requested_) {
    living_.resize(planes_.groups);
    living_above_.resize(tiles_.above);
    bits_before_x_ = bits_before(tiles_, true);
    bits_before_y_ = bits_before(tiles_, false);
    image_requested_ = true;
  }
  const int bands = std::min(viewport.height(), 4 * omp_get_max_threads());
  // Counting all groups, if necessary, takes longer than rendering.
  const auto counting = static_cast<std::uint64_t>(count_state_ == CountState::kNothing ? 3 * bands : 0);
  const ProgressScope call(monitor_, counting + static_cast<std::uint64_t>(bands));
  call.part(counting, [&] { count_living(); });
  const std::size_t area =
      static_cast<std::size_t>(viewport.width()) * static_cast<std::size_t>(viewport.height());
  if (pixel_cells_.size() < area) {
    pixel_cells_.resize(area);
    pixel_living_.resize(area);
  }
  PlanePicture picture;
  picture.words = now_.data();
  picture.living = living_.data();
  picture.living_above = living_above_.data();
  picture.bits_before_x = bits_before_x_.data();
  picture.bits_before_y = bits_before_y_.data();
  picture.columns = make_pixel_axis(viewport.x_edges.data(), viewport.x_edges.data(), viewport.width());
  picture.rows = make_pixel_axis(viewport.y_edges.data(), viewport.y_edges.data(), viewport.height());
  // Bands of rows, so that no two threads write the same pixel; more bands than threads, since some contain
  // more cells.
  const auto width = static_cast<std::size_t>(viewport.width());
#pragma omp parallel for schedule(dynamic)
  for (int b = 0; b < bands; ++b) {
    if (call.cancelled()) continue;
    PlanePicture band = picture;
    band.first_row = static_cast<int>(std::int64_t{viewport.height()} * b / bands);
    band.last_row = static_cast<int>(std::int64_t{viewport.height()} * (b + 1) / bands);
    const std::size_t first = static_cast<std::size_t>(band.first_row) * width;
    const std::size_t last = static_cast<std::size_t>(band.last_row) * width;
    std::fill(pixel_cells_.begin() + static_cast<std::ptrdiff_t>(first),
              pixel_cells_.begin() + static_cast<std::ptrdiff_t>(last), 0);
    std::fill(pixel_living_.begin() + static_cast<std::ptrdiff_t>(first),
              pixel_living_.begin() + static_cast<std::ptrdiff_t>(last), 0);
    const auto add = [&](int row, int column, std::uint64_t cells, std::uint64_t living) {
      const std::size_t at = static_cast<std::size_t>(row) * width + static_cast<std::size_t>(column);
      pixel_cells_[at] += cells;
      pixel_living_[at] += living;
    };
    for (std::uint64_t i = 0; i < tiles_.tiles[tiles_.top]; ++i) {
      const auto tile = static_cast<std::uint32_t>(tiles_.first_tile[tiles_.top] + i);
      const Coord<std::int64_t> corner = tiles_.corner(tiles_.top, tile);
      paint_tile(tiles_, band, tiles_.top, tile, corner, add,
                 [&](std::uint64_t group, Coord<std::int64_t> at) {
                   planes_.wide() ? paint_group<std::uint64_t>(tiles_, band, group, at, add)
                                  : paint_group<std::uint32_t>(tiles_, band, group, at, add);
                 });
    }
    call.advance(1);
  }
  call.check();
}

}  // namespace loom::cpu
