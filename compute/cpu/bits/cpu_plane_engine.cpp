#include <omp.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <vector>

#include "compute/cpu/bits/plane_step.h"
#include "compute/cpu/cpu_partition.h"
#include "compute/cpu/engines.h"
#include "compute/cpu/life/canonical_walk.h"
#include "compute/cpu/life/cpu_fractal_engine.h"
#include "compute/engine/pixel_lookup.h"
#include "compute/engine/plane_tree.h"
#include "compute/geometry/plane_canonical_map.h"
#include "compute/workload/larger_planes.h"

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

static_assert(std::endian::native == std::endian::little, "a word's bytes are its bits in order");

/// A row of group rectangles is contiguous in the canonical order: a band. Its bits may begin and end within
/// a byte.
struct Band {
  std::uint64_t first_bit = 0;
  std::uint64_t bits = 0;

  std::uint64_t first_byte() const { return first_bit / 8; }
  std::uint64_t end_byte() const { return (first_bit + bits + 7) / 8; }
  /// The index of the first bit in a copy that begins with the first byte.
  std::uint64_t offset() const { return first_bit % 8; }
};

/// Common to both directions: the bands, and a buffer for one band per thread.
class Bands {
 public:
  explicit Bands(const BitPlanes& planes)
      : blocks(planes),
        row_bits_(std::uint64_t{blocks.across()} * blocks.width()),
        words_(row_bits_ * blocks.height() / 64 + 3),
        room_(words_ * static_cast<std::size_t>(omp_get_max_threads())) {}

  Band band(std::uint32_t row) const {
    const std::uint64_t bits = row_bits_ * blocks.height();
    return {row * bits, bits};
  }
  /// Bits from one row of cells to the next.
  std::uint64_t row_bits() const { return row_bits_; }
  std::size_t words() const { return words_; }
  /// The calling thread's buffer: a band from its first byte on, and one more word.
  std::uint64_t* room() { return room_.data() + words_ * static_cast<std::size_t>(omp_get_thread_num()); }

  const PlaneCanonicalMap blocks;

 private:
  std::uint64_t row_bits_;
  std::size_t words_;
  std::vector<std::uint64_t> room_;
};

std::uint64_t bits_at(const std::uint64_t* words, std::uint64_t at, std::uint64_t mask) {
  const std::uint64_t* const word = words + at / 64;
  const std::uint64_t shift = at % 64;
  return (word[0] >> shift | word[1] << 1 << (63 - shift)) & mask;
}

void add_bits(std::uint64_t* words, std::uint64_t at, std::uint64_t bits) {
  std::uint64_t* const word = words + at / 64;
  const std::uint64_t shift = at % 64;
  word[0] |= bits << shift;
  word[1] |= bits >> 1 >> (63 - shift);
}

/// The slot of a group in the first plane, and the distance to the next plane in slots.
template <typename Slot>
struct SlotPlace {
  static constexpr std::uint64_t kSlotsInWord = sizeof(Slot) == 2 ? 2 : 1;
  static constexpr std::uint64_t kStep = BitPlanes::kInterleave * kSlotsInWord;
  static std::uint64_t first(const BitPlanes& planes, std::uint32_t group) {
    return planes.first_word(group / kSlotsInWord) * kSlotsInWord + group % kSlotsInWord;
  }
};

/// Calls `use` with a value of the storage type of a slot.
template <typename Use>
void with_slot(const BitPlanes& planes, const Use& use) {
  switch (planes.split.slot_bits) {
    case 16:
      return use(std::uint16_t{});
    case 32:
      return use(std::uint32_t{});
    default:
      return use(std::uint64_t{});
  }
}

template <typename Slot>
void read_band(const BitPlanes& planes, const std::uint8_t* memory, const Bands& bands, std::uint32_t row,
               std::uint64_t* to) {
  using Place = SlotPlace<Slot>;
  const PlaneCanonicalMap& blocks = bands.blocks;
  std::fill_n(to, bands.words(), std::uint64_t{0});
  std::array<std::uint64_t, kMaxPlanes> slots{};
  std::array<std::uint64_t, PlaneCanonicalMap::kMostSide> rows{};
  std::uint64_t at = bands.band(row).offset();
  for (std::uint32_t column = 0; column < blocks.across(); ++column, at += blocks.width()) {
    const std::uint32_t group = blocks.group(column, row) - planes.first_group;
    if (group >= planes.groups) continue;
    const std::uint8_t* from = memory + Place::first(planes, group) * sizeof(Slot);
    for (std::uint32_t p = 0; p < planes.planes; ++p, from += Place::kStep * sizeof(Slot)) {
      Slot slot;
      std::memcpy(&slot, from, sizeof slot);
      slots[p] = slot;
    }
    blocks.to_rows(slots.data(), rows.data());
    for (std::uint32_t y = 0; y < blocks.height(); ++y) add_bits(to, at + y * bands.row_bits(), rows[y]);
  }
}

template <typename Slot>
void write_band(const BitPlanes& planes, const std::uint64_t* from, const Bands& bands, std::uint32_t row,
                std::uint8_t* memory) {
  using Place = SlotPlace<Slot>;
  const PlaneCanonicalMap& blocks = bands.blocks;
  const std::uint64_t mask = ~std::uint64_t{0} >> (64 - blocks.width());
  std::array<std::uint64_t, kMaxPlanes> slots{};
  std::array<std::uint64_t, PlaneCanonicalMap::kMostSide> rows{};
  std::uint64_t at = bands.band(row).offset();
  for (std::uint32_t column = 0; column < blocks.across(); ++column, at += blocks.width()) {
    const std::uint32_t group = blocks.group(column, row) - planes.first_group;
    if (group >= planes.groups) continue;
    for (std::uint32_t y = 0; y < blocks.height(); ++y)
      rows[y] = bits_at(from, at + y * bands.row_bits(), mask);
    blocks.to_slots(rows.data(), slots.data());
    std::uint8_t* to = memory + Place::first(planes, group) * sizeof(Slot);
    // Not accessed as a word, because another thread may own the other half.
    for (std::uint32_t p = 0; p < planes.planes; ++p, to += Place::kStep * sizeof(Slot)) {
      const auto slot = static_cast<Slot>(slots[p]);
      std::memcpy(to, &slot, sizeof slot);
    }
  }
}

void read_plane_bits(const BitPlanes& planes, const std::uint8_t* words, std::span<std::uint8_t> bits,
                     const ProgressScope& call) {
  Bands bands(planes);
  const auto count = static_cast<std::int64_t>(bands.blocks.down());
  // Two adjacent bands share the byte in which one ends and the next begins.
  for (std::int64_t b = 0; b < count; ++b) {
    const Band band = bands.band(static_cast<std::uint32_t>(b));
    bits[band.first_byte()] = 0;
    bits[band.end_byte() - 1] = 0;
  }
#pragma omp parallel for schedule(dynamic)
  for (std::int64_t b = 0; b < count; ++b) {
    if (call.cancelled()) continue;
    const auto row = static_cast<std::uint32_t>(b);
    std::uint64_t* const room = bands.room();
    with_slot(planes, [&]<typename Slot>(Slot) { read_band<Slot>(planes, words, bands, row, room); });
    const Band band = bands.band(row);
    const auto* const from = reinterpret_cast<const std::uint8_t*>(room);
    std::uint8_t* const to = bits.data() + band.first_byte();
    const std::uint64_t size = band.end_byte() - band.first_byte();
    std::atomic_ref(to[0]).fetch_or(from[0], std::memory_order_relaxed);
    if (size > 1) std::atomic_ref(to[size - 1]).fetch_or(from[size - 1], std::memory_order_relaxed);
    if (size > 2) std::memcpy(to + 1, from + 1, size - 2);
    call.advance(band.bits);
  }
  call.check();
}

void write_plane_bits(const BitPlanes& planes, std::span<const std::uint8_t> bits, std::uint8_t* words,
                      const ProgressScope& call) {
  Bands bands(planes);
  const auto count = static_cast<std::int64_t>(bands.blocks.down());
#pragma omp parallel for schedule(dynamic)
  for (std::int64_t b = 0; b < count; ++b) {
    if (call.cancelled()) continue;
    const auto row = static_cast<std::uint32_t>(b);
    const Band band = bands.band(row);
    std::uint64_t* const room = bands.room();
    std::memcpy(room, bits.data() + band.first_byte(), band.end_byte() - band.first_byte());
    with_slot(planes, [&]<typename Slot>(Slot) { write_band<Slot>(planes, room, bands, row, words); });
    call.advance(band.bits);
  }
  call.check();
}

/// Life in bit planes (geometry/bit_planes.h). Tile size and map arithmetic have no effect.
class CpuPlaneEngine : public CpuFractalEngine {
 public:
  /// `config` must be valid, with the compact map and bit-packed storage; `part`: its groups, all by default;
  /// `bytes`: per generation. Throws std::bad_alloc.
  CpuPlaneEngine(const FractalConfig& config, GroupRange part, std::uint64_t bytes)
      : CpuFractalEngine(config, bytes),
        planes_(part_of(make_bit_planes(fractal_), part)),
        tiles_(make_plane_tree(planes_)),
        step_(planes_) {
    stored_.part = part;
  }

  Census census() const override {
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
      sums.add(Census{living, terms});
    });
    call.check();
    return sums.total();
  }
  void read_bits(std::span<std::uint8_t> bits) const override {
    const std::uint32_t planes = check_bits(bits.size());
    std::ranges::fill(bits.subspan(bits.size() / planes), std::uint8_t{0});
    read_plane_bits(planes_, now_.data(), bits.first(bits.size() / planes),
                    ProgressScope(monitor_, fractal_.cells));
  }
  void write_bits(std::span<const std::uint8_t> bits) override {
    const std::uint32_t planes = check_bits(bits.size());
    const ProgressScope call(monitor_, fractal_.cells);
    cells_changed();
    if (planes == 1) return write_plane_bits(planes_, bits, now_.data(), call);
    write_plane_bits(planes_, living_bits(bits, bits.size() / planes), now_.data(), call);
  }
  ThreadCount count_threads() const override {
    // The lanes of the vectors are the threads, including those of the last row that have no group.
    const std::uint64_t launched = step_.units() * BitPlanes::kInterleave;
    std::uint64_t active = 0;
#pragma omp parallel for schedule(static) reduction(+ : active)
    for (std::uint64_t t = 0; t < launched; ++t)
      active += t * planes_.groups_in_word < planes_.groups ? 1 : 0;
    return {.tiles_launched = step_.units(),
            .tiles_occupied = step_.units(),
            .threads_launched = launched,
            .threads_active = active,
            .threads_without_tile = launched - active};
  }

 protected:
  void cells_changed() override {
    count_state_ = CountState::kNothing;
  }
  /// Counts, per pixel, held cells and living ones into pixel_cells_ and pixel_living_. Throws
  /// OperationCancelled.
  void count_pixels(const Viewport& viewport) {
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
      std::fill(pixel_cells_.data() + first, pixel_cells_.data() + last, 0);
      std::fill(pixel_living_.data() + first, pixel_living_.data() + last, 0);
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

 private:
  void fill_random(std::uint8_t* cells, std::uint64_t seed, std::uint64_t threshold,
                   const ProgressScope& call) override {
    for_each_group(planes_, call, kGroupsInRun * tiles_.cells[0], [&](std::uint32_t number) {
      const Slots slots(planes_, cells, number);
      const PlaneGroup group = plane_group(tiles_, number);
      for (std::uint32_t p = 0; p < planes_.planes; ++p)
        slots.store(p, random_slot(tiles_, group, p, seed, threshold));
    });
    call.check();
  }
  std::uint64_t units_of_work() const override {
    return step_.units();
  }
  void step_larger(const LifeRule& rule, const ProgressScope& call) {
    const std::uint32_t radius = rule.larger.radius;
    if (!large_ || large_->tiles().radius != radius) large_.emplace(planes_, radius);
    const LargeTiles& tiles = large_->tiles();
    const LargeMasks masks(rule);
    const auto words = std::size_t{tiles.shared_words()};
    large_words_.resize(words * static_cast<std::size_t>(omp_get_max_threads()));
    const std::uint64_t count = tiles.tiles();
    with_radius(static_cast<int>(radius), [&](auto constant) {
#pragma omp parallel for schedule(static)
      for (std::uint64_t tile = 0; tile < count; ++tile) {
        if (call.cancelled()) continue;
        step_large_tile<constant()>(
            tiles, masks, static_cast<std::uint32_t>(tile), now_.data(), next_.data(),
            large_words_.data() + words * static_cast<std::size_t>(omp_get_thread_num()), 0, 1, [] {},
            [](std::uint32_t& word, std::uint32_t bits) { word |= bits; });
        call.advance((tile + 1) * units_of_work() / count - tile * units_of_work() / count);
      }
    });
  }
  std::uint64_t run_once(const Work& work, bool last, const ProgressScope& call) override {
    if (work.workload == Workload::kReduction) {
      std::atomic<std::uint64_t> found{0};
      for_each_group(planes_, call, 1, [&](std::uint32_t number) {
        const Slots slots(planes_, now_.data(), number);
        const PlaneGroup group = plane_group(tiles_, number);
        std::uint64_t part = 0;
        for (std::uint32_t p = 0; p < planes_.planes; ++p)
          part += sum_of_slot(tiles_, group, p, slots.load(p));
        found.fetch_add(part, std::memory_order_relaxed);
      });
      return found;
    }
    const bool larger = work.workload == Workload::kLife && work.rule.is_larger();
    const bool count = work.workload == Workload::kLife && !larger && image_requested_ && last;
    if (larger) {
      step_larger(work.rule, call);
    } else if (work.workload == Workload::kLife) {
      step_.step(now_.data(), next_.data(), count ? living_.data() : nullptr, work.rule, call);
    } else {
      const auto generation = static_cast<std::uint32_t>(generation_);
      for_each_group(planes_, call, 1, [&](std::uint32_t number) {
        const Slots slots(planes_, next_.data(), number);
        const PlaneGroup group = plane_group(tiles_, number);
        for (std::uint32_t p = 0; p < planes_.planes; ++p)
          slots.store(p, single_write_slot(tiles_, group, p, generation));
      });
    }
    count_state_ = count && !call.cancelled() ? CountState::kGroups : CountState::kNothing;
    return 0;
  }
  void paint(const Viewport& viewport, std::uint16_t* pixels) override {
    const ProgressScope call(monitor_, 1);
    call.part(1, [&] { count_pixels(viewport); });
    const auto area = static_cast<std::int64_t>(viewport.width()) * viewport.height();
#pragma omp parallel for schedule(static) if (area > 4096)
    for (std::int64_t i = 0; i < area; ++i) {
      const auto at = static_cast<std::size_t>(i);
      pixels[at] = density_value(pixel_cells_[at], pixel_living_[at]);
    }
  }

  /// Counts the living cells of each tree node, starting from the groups' counts if they are known. Throws
  /// OperationCancelled.
  void count_living() {
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

 protected:
  BitPlanes planes_;
  PlaneTree tiles_;
  PlaneStep step_;
  std::optional<LargeTileTables> large_;    ///< of the last radius
  std::vector<std::uint32_t> large_words_;  ///< of each thread's tile
  // Only for images; allocated at the first image.
  std::vector<std::uint16_t> living_;
  std::vector<std::uint64_t> living_above_;
  std::vector<std::uint64_t> bits_before_x_;
  std::vector<std::uint64_t> bits_before_y_;
  /// An image was requested, so another may follow: steps count the living cells of their groups.
  bool image_requested_ = false;
  CountState count_state_ = CountState::kNothing;
  std::vector<std::uint64_t> pixel_cells_;
  std::vector<std::uint64_t> pixel_living_;
};

constexpr std::uint64_t kInterleave = BitPlanes::kInterleave;

/// Several generations per exchange make exchanges between processes rarer. On a large partition a generation
/// takes long compared with an exchange, and cancellation should not wait for several generations.
constexpr std::uint32_t kMaxAtOnce = 8;
constexpr std::uint64_t kMaxCellsAtOnce = std::uint64_t{1} << 26;
/// The listed threads are computed redundantly; several generations per exchange are used only if the list is
/// at most this fraction of the own threads.
constexpr std::uint64_t kMinShare = 8;

std::size_t rows_of(const PlaneBoundary& boundary) {
  return (boundary.listed.size() + kInterleave - 1) / kInterleave;
}

/// A partition of life in bit planes, on this process's threads.
class CpuPlanePartition final : public CpuPartition<CpuPlaneEngine, PlaneBoundary> {
 public:
  /// `config` as for CpuPlaneEngine. Throws std::bad_alloc.
  CpuPlanePartition(const FractalConfig& config, const BitPlanes& part, GroupRange groups,
                    std::uint32_t number, PlaneBoundary boundary)
      : CpuPartition(number, std::move(boundary), config, groups,
                     words_with_copies(part, boundary) * (part.wide() ? 8 : 4)),
        listed_now_(rows_of(boundary_) * kInterleave * planes_.planes * sizeof(std::uint64_t)),
        listed_next_(rows_of(boundary_) * kInterleave * planes_.planes * sizeof(std::uint64_t)) {
    listed_counts_.resize(rows_of(boundary_) * kInterleave * planes_.groups_in_word);
    sent_.resize(boundary_.sent.size() * planes_.planes);
    received_.resize(boundary_.copies.size() * planes_.planes);
  }

  HaloBuffers messages() override {
    return {.sent = sent_.data(),
            .received = received_.data(),
            .element_bytes = std::size_t{planes_.planes} * (planes_.wide() ? 8 : 4)};
  }

  void pack_boundary() override {
    pack(now_.data(), [&](std::uint32_t place) { return boundary_.boundary[place]; });
  }
  void unpack_halo() override { hear(now_.data()); }

  std::uint32_t max_generations_per_exchange() const override {
    const std::uint64_t cells = std::uint64_t{planes_.groups} * planes_.planes * planes_.bits;
    if (cells > kMaxCellsAtOnce || boundary_.listed.size() * kMinShare > planes_.threads()) return 1;
    return std::min(kMaxAtOnce, generations_alone(planes_));
  }

  // The last generation only needs the boundary, and earlier generations also the threads next to it.
  void begin_generations(LifeRule rule, std::uint32_t times) override {
    const std::uint8_t* from = now_.data();
    for (std::uint32_t i = 0; i < times; ++i) {
      const std::size_t threads = i + 1 == times ? boundary_.boundary.size() : boundary_.listed.size();
      step_.step_boundary(from, i > 0, boundary_, threads, listed_next_.data(), listed_counts_.data(), rule);
      listed_now_.swap(listed_next_);
      from = listed_now_.data();
    }
    pack(listed_now_.data(), [](std::uint32_t place) { return place; });
  }

  // Without the halo, only cells next to other partitions are wrong, and those are the boundary, which is
  // computed separately.
  void step_interior(LifeRule rule, std::uint32_t times, bool last) override {
    const bool count = image_requested_ && last;
    for (std::uint32_t i = 0; i < times; ++i) {
      if (i > 0) now_.swap(next_);
      step_.step(now_.data(), next_.data(), count && i + 1 == times ? living_.data() : nullptr, rule, {});
    }
    count_state_ = count ? CountState::kGroups : CountState::kNothing;
  }

  void end_generations(std::uint32_t times) override {
    const std::uint32_t slots = planes_.groups_in_word;
    with_word([&]<typename Word>(Word) {
      const auto* const words = reinterpret_cast<const Word*>(listed_now_.data());
      for (std::uint32_t i = 0; i < boundary_.boundary.size(); ++i) {
        Word* const to = reinterpret_cast<Word*>(next_.data()) + planes_.first_word(boundary_.boundary[i]);
        for (std::uint32_t p = 0; p < planes_.planes; ++p)
          to[p * kInterleave] = words[planes_.first_word(i) + p * kInterleave];
        if (count_state_ == CountState::kNothing) continue;
        for (std::uint32_t slot = 0; slot < slots; ++slot) {
          const std::uint32_t group = boundary_.boundary[i] * slots + slot;
          if (group < planes_.groups) living_[group] = listed_counts_[i * slots + slot];
        }
      }
    });
    hear(next_.data());
    now_.swap(next_);
    generation_ += times;
  }

  void count_pixels(const Viewport& viewport, std::span<std::uint64_t> cells,
                    std::span<std::uint64_t> living) override {
    CpuPlaneEngine::count_pixels(viewport);
    std::copy_n(pixel_cells_.begin(), cells.size(), cells.begin());
    std::copy_n(pixel_living_.begin(), living.size(), living.begin());
  }

 private:
  /// Calls `use` with a value of the word type: std::uint32_t{} or std::uint64_t{}.
  template <typename Use>
  void with_word(const Use& use) const {
    planes_.wide() ? use(std::uint64_t{}) : use(std::uint32_t{});
  }

  /// Copies the words of the threads that are sent: `thread_of` their index in the boundary.
  template <typename ThreadOf>
  void pack(const std::uint8_t* cells, const ThreadOf& thread_of) {
    with_word([&]<typename Word>(Word) {
      auto* sent = reinterpret_cast<Word*>(sent_.data());
      for (const std::uint32_t place : boundary_.sent) {
        const Word* const from = reinterpret_cast<const Word*>(cells) + planes_.first_word(thread_of(place));
        for (std::uint32_t p = 0; p < planes_.planes; ++p) *sent++ = from[p * kInterleave];
      }
    });
  }
  /// Unpacks the receive buffer into the halo of a generation.
  void hear(std::uint8_t* cells) {
    with_word([&]<typename Word>(Word) {
      const auto* received = reinterpret_cast<const Word*>(received_.data());
      for (std::uint32_t i = 0; i < boundary_.copies.size(); ++i) {
        Word* const to = reinterpret_cast<Word*>(cells) + planes_.first_word(boundary_.first_copy + i);
        for (std::uint32_t p = 0; p < planes_.planes; ++p) to[p * kInterleave] = *received++;
      }
    });
  }

  /// Rows of the words of the boundary list, as vectors: of this generation and of the next one.
  PageBuffer listed_now_;
  PageBuffer listed_next_;
  std::vector<std::uint16_t> listed_counts_;
  std::vector<std::uint64_t> sent_;
  std::vector<std::uint64_t> received_;
};

}  // namespace

std::unique_ptr<FractalEngine> make_plane_engine(const FractalConfig& config) {
  return std::make_unique<CpuPlaneEngine>(config, GroupRange{}, bytes_needed(config) / 2);
}

std::unique_ptr<FractalPartition> make_plane_partition(const FractalConfig& config,
                                                       const std::vector<GroupRange>& parts,
                                                       std::uint32_t number) {
  const BitPlanes whole = make_bit_planes(config.fractal.shape(), config.level);
  return std::make_unique<CpuPlanePartition>(config, part_of(whole, parts[number]), parts[number], number,
                                             make_plane_boundary(whole, parts, number));
}

}  // namespace loom::cpu
