#include "compute/geometry/partition.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>

#include "compute/core/error.h"
#include "compute/core/integer_math.h"
#include "compute/geometry/bit_planes.h"
#include "compute/geometry/group_table.h"
#include "compute/geometry/plane_partition.h"
#include "compute/geometry/plane_program.h"

namespace loom {

std::vector<std::uint64_t> partition_units(std::uint64_t units, std::span<const std::uint32_t> shares) {
  const std::uint64_t all = std::accumulate(shares.begin(), shares.end(), std::uint64_t{0});
  std::vector<std::uint64_t> firsts = {0};
  std::uint64_t assigned = 0;
  for (const std::uint32_t share : shares) {
    assigned += share;
    firsts.push_back(units / all * assigned + units % all * assigned / all);  // units * assigned may overflow
  }
  return firsts;
}

namespace {

/// The position of a replica's cells relative to a partition: replica `number` of `size` each.
enum class Lies { kInside, kOutside, kAcross };
Lies lies_at(std::uint64_t number, std::uint64_t size, std::uint64_t part_first, std::uint64_t part_size) {
  const std::uint64_t first = number * size;
  const std::uint64_t part_end = part_first + part_size;
  if (first >= part_first && first + size <= part_end) return Lies::kInside;
  return first >= part_end || first + size <= part_first ? Lies::kOutside : Lies::kAcross;
}

template <typename Number>
void sort_and_unique(std::vector<Number>& numbers) {
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
}

/// The index of a number in a sorted list.
template <typename Number>
std::uint32_t place_in(const std::vector<Number>& sorted, Number number) {
  return static_cast<std::uint32_t>(std::lower_bound(sorted.begin(), sorted.end(), number) - sorted.begin());
}

InputError too_small_share(std::span<const std::uint32_t> shares, std::size_t i, std::uint64_t units,
                           std::string_view unit, std::string_view or_else) {
  return InputError(fmt::format(
      "a share of {} in {} is less than one of {} units of {}; allowed: shares of at least one "
      "unit{}",
      shares[i], std::accumulate(shares.begin(), shares.end(), std::uint64_t{0}), units, unit, or_else));
}

/// An own cell and its neighbours, as positions in the whole fractal; kNoIndex if there is none.
struct CellAcross {
  std::uint64_t own = 0;
  std::array<std::uint64_t, kDirections> beside{};
};

/// Finds the cells of a partition that have neighbours in other partitions, by descending from the whole
/// fractal past all replicas without such cells.
class CellsAcross {
 public:
  CellsAcross(const TiledFractal& whole, TileRows part) : whole_(whole), part_(part) {
    rows_of_tile_.push_back(1);
    for (int mu = 1; mu <= whole.coarse_level; ++mu)
      rows_of_tile_.push_back(rows_of_tile_.back() * (mu % 2 == 0 ? whole.shape.k : 1));
  }

  std::vector<CellAcross> find() {
    Around whole{};
    whole[kSelf].present = true;
    visit(0, whole);
    std::sort(found_.begin(), found_.end(),
              [](const CellAcross& a, const CellAcross& b) { return a.own < b.own; });
    return std::move(found_);
  }

 private:
  /// A replica by its coarsest digits: first those of the tile coordinate, then those within the tile.
  struct Tile {
    std::uint64_t omega_x = 0;
    std::uint64_t omega_y = 0;
    std::uint32_t x = 0;
    std::uint32_t y = 0;
    bool present = false;
  };
  /// A replica, at kSelf, and its neighbours, row by row.
  static constexpr std::size_t kSelf = 4;
  using Around = std::array<Tile, 9>;

  Lies lies(int depth, const Tile& tile) const {
    return lies_at(tile.omega_y,
                   rows_of_tile_[static_cast<std::size_t>(std::max(0, whole_.coarse_level - depth))],
                   part_.first, part_.count);
  }

  Tile child(int depth, const Tile& tile, std::uint32_t x, std::uint32_t y) const {
    Tile inner = tile;
    const int replica = whole_.shape.replica_at[y * whole_.shape.s_x + x];
    inner.present = tile.present && replica >= 0;
    if (!inner.present) return inner;
    if (depth < whole_.coarse_level) {
      std::uint64_t& digits = (whole_.coarse_level - depth) % 2 == 1 ? inner.omega_x : inner.omega_y;
      digits = digits * whole_.shape.k + static_cast<std::uint64_t>(replica);
    } else {
      inner.x = inner.x * whole_.shape.s_x + x;
      inner.y = inner.y * whole_.shape.s_y + y;
    }
    return inner;
  }

  /// `around` has `depth` digits, the coarsest.
  void visit(int depth, const Around& around) {
    const Lies here = lies(depth, around[kSelf]);
    if (here == Lies::kOutside) return;
    bool apart = here == Lies::kAcross;
    for (const Tile& tile : around) apart = apart || (tile.present && lies(depth, tile) != Lies::kInside);
    if (!apart) return;
    if (depth == whole_.level) return note(around);
    const auto s_x = static_cast<int>(whole_.shape.s_x);
    const auto s_y = static_cast<int>(whole_.shape.s_y);
    for (std::uint32_t b = 0; b < whole_.shape.k; ++b) {
      Around inner;
      for (int which = 0; which < 9; ++which) {
        // Relative to the corner of the replica to the left and above.
        const int x = s_x + whole_.shape.offset_x[b] + which % 3 - 1;
        const int y = s_y + whole_.shape.offset_y[b] + which / 3 - 1;
        inner[static_cast<std::size_t>(which)] =
            child(depth, around[static_cast<std::size_t>(y / s_y * 3 + x / s_x)],
                  static_cast<std::uint32_t>(x % s_x), static_cast<std::uint32_t>(y % s_y));
      }
      visit(depth + 1, inner);
    }
  }

  std::uint64_t place_of(const Tile& cell) const {
    if (!cell.present) return kNoIndex;
    return (cell.omega_y * whole_.orthotope_x + cell.omega_x) * whole_.points_per_tile() +
           std::uint64_t{cell.y} * whole_.rho_x + cell.x;
  }
  void note(const Around& around) {
    CellAcross cell;
    cell.own = place_of(around[kSelf]);
    for (std::size_t d = 0; d < kDirections; ++d)
      cell.beside[d] =
          place_of(around[static_cast<std::size_t>((kDirectionY[d] + 1) * 3 + kDirectionX[d] + 1)]);
    found_.push_back(cell);
  }

  const TiledFractal& whole_;
  TileRows part_;
  std::vector<std::uint64_t> rows_of_tile_;  ///< by the number of tile levels in it
  std::vector<CellAcross> found_;
};

/// The partition that has a position.
std::uint32_t part_with(const TiledFractal& whole, const std::vector<TileRows>& parts, std::uint64_t place) {
  const std::uint64_t row = place / whole.places_of_row();
  std::uint32_t part = 0;
  while (row - parts[part].first >= parts[part].count) ++part;
  return part;
}

/// Appends a segment for the items that were added to a list since it had `first` items, if there are any.
void add_segment(std::vector<HaloSegment>& stretches, std::uint32_t part, std::size_t first,
                 std::size_t end) {
  if (end > first)
    stretches.push_back({part, static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(end - first)});
}

/// A group of a partition and an adjacent group of another partition.
struct Across {
  std::uint32_t own = 0;  ///< both numbered as in the whole fractal
  std::uint32_t other = 0;
};

/// Finds the groups of a partition that are adjacent to groups of others, by descending from the whole
/// fractal past all replicas without such groups.
class AcrossSearch {
 public:
  AcrossSearch(const BitPlanes& whole, GroupRange part)
      : shape_(whole.shape),
        occur_(directions_that_occur(whole.shape)),
        part_(part),
        levels_(whole.level - whole.split.plane_levels - whole.split.bit_levels) {}

  std::vector<Across> find() {
    visit(0, 0);
    return std::move(found_);
  }

 private:
  Lies lies(int depth, std::uint64_t tile) const {
    return lies_at(tile, small_power(shape_.k, levels_ - depth), part_.first, part_.groups);
  }
  /// `tile` has `depth` digits, the coarsest.
  void visit(int depth, std::uint64_t tile) {
    const Lies here = lies(depth, tile);
    if (here == Lies::kOutside) return;
    bool apart = here == Lies::kAcross;
    for (int d = 0; d < kDirections; ++d) {
      if (!(occur_ >> d & 1u)) continue;
      const PlainNeighbour next = plain_neighbour(shape_, depth, tile, d);
      if (next.digits < 0 || next.leaves != kDirections) continue;
      const Lies there = lies(depth, static_cast<std::uint64_t>(next.digits));
      if (depth == levels_ && there == Lies::kOutside)
        found_.push_back({static_cast<std::uint32_t>(tile), static_cast<std::uint32_t>(next.digits)});
      apart = apart || there != Lies::kInside;
    }
    if (depth == levels_ || !apart) return;
    for (std::uint64_t digit = 0; digit < shape_.k; ++digit) visit(depth + 1, tile * shape_.k + digit);
  }

  NbbShape shape_;
  std::uint32_t occur_;
  GroupRange part_;
  int levels_;
  std::vector<Across> found_;
};

/// The threads of other partitions, numbered as in the whole fractal, whose words a partition needs,
/// ascending.
std::vector<std::uint32_t> others_of(const std::vector<Across>& across, std::uint32_t groups_in_word) {
  std::vector<std::uint32_t> others;
  for (const Across& each : across) others.push_back(each.other / groups_in_word);
  sort_and_unique(others);
  return others;
}

bool is_in(const std::vector<std::uint32_t>& sorted, std::uint32_t number) {
  return std::binary_search(sorted.begin(), sorted.end(), number);
}

/// Fills the lists of a PlaneBoundary whose own threads and copies are known.
void list_boundary_dependencies(const BitPlanes& whole, const BitPlanes& own, PlaneBoundary& boundary) {
  const std::uint32_t slots = whole.groups_in_word;
  const std::uint32_t occur = directions_that_occur(whole.shape);
  const GroupTable table(whole);
  const GroupNeighbours neighbours = table.neighbours();
  // Groups are numbered as in the whole fractal here, threads as in the partition.
  const auto is_copy = [&](std::uint32_t thread) { return thread >= boundary.first_copy; };
  const auto group_of = [&](std::uint32_t thread, std::uint32_t slot) {
    return (is_copy(thread) ? boundary.copies[thread - boundary.first_copy] * slots
                            : thread * slots + own.first_group) +
           slot;
  };
  const auto is_own = [&](std::uint32_t group) { return group - own.first_group < own.groups; };
  const auto exists = [&](std::uint32_t thread, std::uint32_t slot) {
    const std::uint32_t group = group_of(thread, slot);
    return is_copy(thread) ? group < whole.whole_groups : is_own(group);
  };
  const auto each_beside = [&](std::uint32_t thread, const auto& use) {
    for (int d = 0; d < kDirections; ++d) {
      if (!(occur >> d & 1u)) continue;
      for (std::uint32_t slot = 0; slot < slots; ++slot) {
        if (!exists(thread, slot)) continue;
        const std::uint32_t beside = neighbours.beside(group_of(thread, slot), d);
        if (beside != GroupNeighbours::kNone) use(d, slot, beside);
      }
    }
  };

  std::vector<std::uint32_t> ring;
  for (const std::uint32_t thread : boundary.boundary) {
    each_beside(thread, [&](int, std::uint32_t, std::uint32_t beside) {
      const std::uint32_t other = (beside - own.first_group) / slots;
      if (is_own(beside) && !is_in(boundary.boundary, other)) ring.push_back(other);
    });
  }
  sort_and_unique(ring);
  boundary.listed = boundary.boundary;
  boundary.listed.insert(boundary.listed.end(), ring.begin(), ring.end());
  for (std::uint32_t i = 0; i < boundary.copies.size(); ++i)
    boundary.listed.push_back(boundary.first_copy + i);
  const auto place_of = [&](std::uint32_t thread) {
    if (is_copy(thread))
      return static_cast<std::uint32_t>(boundary.boundary.size() + ring.size()) + thread -
             boundary.first_copy;
    if (is_in(boundary.boundary, thread)) return place_in(boundary.boundary, thread);
    if (is_in(ring, thread))
      return static_cast<std::uint32_t>(boundary.boundary.size()) + place_in(ring, thread);
    return GroupNeighbours::kNone;
  };

  const std::size_t size = boundary.listed.size();
  boundary.groups_listed.assign(size, 0);
  boundary.beside.assign(kDirections * slots * size, GroupNeighbours::kNone);
  boundary.listed_neighbours = boundary.beside;
  for (std::size_t i = 0; i < size; ++i) {
    for (std::uint32_t slot = 0; slot < slots; ++slot)
      boundary.groups_listed[i] += exists(boundary.listed[i], slot);
    each_beside(boundary.listed[i], [&](int d, std::uint32_t slot, std::uint32_t beside) {
      std::uint32_t thread = (beside - own.first_group) / slots;
      if (!is_own(beside)) {
        if (!is_in(boundary.copies, beside / slots)) return;
        thread = boundary.first_copy + place_in(boundary.copies, beside / slots);
      }
      const std::uint32_t in_word = beside % slots;  // a partition begins with a whole word
      const std::size_t at = (static_cast<std::size_t>(d) * slots + slot) * size + i;
      boundary.beside[at] = thread * slots + in_word;
      const std::uint32_t place = place_of(thread);
      if (place != GroupNeighbours::kNone) boundary.listed_neighbours[at] = place * slots + in_word;
    });
  }
}

}  // namespace

std::vector<TileRows> partition_rows(const TiledFractal& whole, std::span<const std::uint32_t> shares) {
  constexpr std::uint64_t kUnitsOfPart = 256;  // partitions are equal to within this fraction or better
  const std::uint64_t rows = whole.orthotope_y;
  if (shares.empty() || shares.size() > rows) {
    throw InputError(fmt::format(
        "{} row{} of tiles cannot be distributed over {} partitions; allowed: at most {}, a higher level, or "
        "smaller tiles",
        rows, rows == 1 ? "" : "s", shares.size(), rows));
  }
  // Boundaries between whole replicas have fewer adjacent cells.
  std::uint64_t unit = 1;
  while (rows / unit / whole.shape.k >= kUnitsOfPart * shares.size()) unit *= whole.shape.k;
  const std::vector<std::uint64_t> firsts = partition_units(rows / unit, shares);
  std::vector<TileRows> parts;
  for (std::size_t i = 0; i < shares.size(); ++i) {
    parts.push_back({firsts[i] * unit, (firsts[i + 1] - firsts[i]) * unit});
    if (parts.back().count > 0) continue;
    throw too_small_share(shares, i, rows / unit,
                          fmt::format("{} row{} of tiles", unit, unit == 1 ? "" : "s"),
                          ", a higher level, or smaller tiles");
  }
  return parts;
}

std::vector<TileRows> partition_rows(const TiledFractal& whole, std::uint32_t parts) {
  return partition_rows(whole, std::vector<std::uint32_t>(parts, 1));
}

TiledFractal part_of(const TiledFractal& whole, TileRows rows) {
  TiledFractal part = whole;
  part.held = rows;
  return part;
}

PartBytes part_bytes(const TiledFractal& part) {
  PartBytes bytes;
  bytes.first = part.held.first * part.places_of_row();
  bytes.places = part.held.count * part.places_of_row();
  bytes.origin = bytes.first / PartBytes::kAligned * PartBytes::kAligned;
  bytes.copies =
      ceil_divide(bytes.first + bytes.places - bytes.origin, PartBytes::kAligned) * PartBytes::kAligned;
  return bytes;
}

// Computed with integers, because the origin of the whole fractal is outside of the partition's memory.
std::uint8_t* by_place(const TiledFractal& part, std::uint8_t* memory) {
  return reinterpret_cast<std::uint8_t*>(reinterpret_cast<std::uintptr_t>(memory) - part_bytes(part).origin);
}

ByteBoundary make_byte_boundary(const TiledFractal& whole, const std::vector<TileRows>& parts,
                                std::uint32_t part) {
  const std::vector<CellAcross> across = CellsAcross(whole, parts[part]).find();
  const PartBytes bytes = part_bytes(part_of(whole, parts[part]));
  const auto is_own = [&](std::uint64_t place) { return place - bytes.first < bytes.places; };
  ByteBoundary boundary;
  // The receivers of each boundary cell, once for each adjacent cell.
  std::vector<std::vector<std::uint32_t>> received_by(parts.size());
  for (const CellAcross& cell : across) {
    const auto number = static_cast<std::uint32_t>(boundary.boundary.size());
    boundary.boundary.push_back(cell.own - bytes.origin);
    for (const std::uint64_t place : cell.beside) {
      if (place == kNoIndex || is_own(place)) continue;
      boundary.copies.push_back(place);
      std::vector<std::uint32_t>& of_part = received_by[part_with(whole, parts, place)];
      if (of_part.empty() || of_part.back() != number) of_part.push_back(number);
    }
  }
  sort_and_unique(boundary.copies);

  std::size_t copied = 0;
  for (std::uint32_t other = 0; other < parts.size(); ++other) {
    const std::size_t first = copied;
    while (copied < boundary.copies.size() && part_with(whole, parts, boundary.copies[copied]) == other)
      ++copied;
    add_segment(boundary.received_from, other, first, copied);
    const std::size_t sent = boundary.sent.size();
    boundary.sent.insert(boundary.sent.end(), received_by[other].begin(), received_by[other].end());
    add_segment(boundary.sent_to, other, sent, boundary.sent.size());
  }

  boundary.beside.resize(kDirections * across.size(), kNoIndex);
  for (std::size_t i = 0; i < across.size(); ++i) {
    for (std::size_t d = 0; d < kDirections; ++d) {
      const std::uint64_t place = across[i].beside[d];
      if (place == kNoIndex) continue;
      boundary.beside[d * across.size() + i] =
          is_own(place) ? place - bytes.origin : bytes.copies + place_in(boundary.copies, place);
    }
  }
  return boundary;
}

std::uint64_t bytes_with_copies(const TiledFractal& part, const ByteBoundary& boundary) {
  return part_bytes(part).copies + boundary.copies.size();
}

std::vector<GroupRange> partition_groups(const BitPlanes& whole, std::span<const std::uint32_t> shares,
                                         std::uint32_t unit) {
  const std::uint64_t units = (std::uint64_t{whole.groups} + unit - 1) / unit;
  const std::size_t parts = shares.size();
  if (parts == 0 || parts > units) {
    throw InputError(
        fmt::format("bit planes of {} group{} cannot be distributed over {} partitions; allowed: at most {}, "
                    "or a higher level",
                    whole.groups, whole.groups == 1 ? "" : "s", parts, units));
  }
  const std::vector<std::uint64_t> firsts = partition_units(units, shares);
  std::vector<GroupRange> ranges;
  for (std::size_t i = 0; i < parts; ++i) {
    const std::uint64_t first = firsts[i] * unit;
    const std::uint64_t end = std::min<std::uint64_t>(firsts[i + 1] * unit, whole.groups);
    if (end <= first) {
      throw too_small_share(shares, i, units, fmt::format("{} group{}", unit, unit == 1 ? "" : "s"),
                            ", or a higher level");
    }
    ranges.push_back({static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(end - first)});
  }
  return ranges;
}

std::vector<GroupRange> partition_groups(const BitPlanes& whole, std::uint32_t parts, std::uint32_t unit) {
  return partition_groups(whole, std::vector<std::uint32_t>(parts, 1), unit);
}

std::vector<GroupRange> partition_groups(const BitPlanes& whole, std::span<const std::uint32_t> shares) {
  constexpr std::uint64_t kMaxInReplica = 256;
  constexpr std::uint64_t kUnitsOfPart = 32;  // partitions are equal to within a thirty-second or better
  std::uint64_t unit = whole.groups_in_word;
  const std::uint64_t k = whole.shape.k;
  while (whole.groups_in_word == 1 && unit * k <= kMaxInReplica &&
         whole.groups >= unit * k * kUnitsOfPart * shares.size())
    unit *= k;
  return partition_groups(whole, shares, static_cast<std::uint32_t>(unit));
}

std::vector<GroupRange> partition_groups(const BitPlanes& whole, std::uint32_t parts) {
  return partition_groups(whole, std::vector<std::uint32_t>(parts, 1));
}

std::uint32_t generations_alone(const BitPlanes& planes) {
  const int levels = planes.split.plane_levels + planes.split.bit_levels;
  const std::uint32_t side = std::min(planes.shape.s_x, planes.shape.s_y);
  return static_cast<std::uint32_t>(small_power(side, levels));
}

PlaneBoundary make_plane_boundary(const BitPlanes& whole, const std::vector<GroupRange>& parts,
                                  std::uint32_t part) {
  const std::uint32_t slots = whole.groups_in_word;
  const BitPlanes own = part_of(whole, parts[part]);
  const auto in = [&](std::uint32_t number, std::uint32_t thread) {
    return thread * slots - parts[number].first < parts[number].groups;
  };
  PlaneBoundary boundary;
  const std::vector<Across> across = AcrossSearch(whole, parts[part]).find();
  boundary.copies = others_of(across, slots);
  boundary.first_copy = static_cast<std::uint32_t>((own.threads() + BitPlanes::kInterleave - 1) /
                                                   BitPlanes::kInterleave * BitPlanes::kInterleave);
  for (const Across& each : across) boundary.boundary.push_back((each.own - own.first_group) / slots);
  sort_and_unique(boundary.boundary);

  for (std::uint32_t other = 0; other < parts.size(); ++other) {
    if (other == part) continue;
    const auto theirs =
        static_cast<std::uint32_t>(std::count_if(boundary.copies.begin(), boundary.copies.end(),
                                                 [&](std::uint32_t thread) { return in(other, thread); }));
    const std::uint32_t before = boundary.received_from.empty() ? 0
                                                                : boundary.received_from.back().first +
                                                                      boundary.received_from.back().count;
    add_segment(boundary.received_from, other, before, before + theirs);
    const std::size_t sent = boundary.sent.size();
    for (const std::uint32_t thread : others_of(AcrossSearch(whole, parts[other]).find(), slots)) {
      if (in(part, thread))
        boundary.sent.push_back(place_in(boundary.boundary, thread - own.first_group / slots));
    }
    add_segment(boundary.sent_to, other, sent, boundary.sent.size());
  }

  list_boundary_dependencies(whole, own, boundary);
  return boundary;
}

std::uint64_t words_with_copies(const BitPlanes& part, const PlaneBoundary& boundary) {
  const std::uint64_t threads = std::uint64_t{boundary.first_copy} + boundary.copies.size();
  return (threads + BitPlanes::kInterleave - 1) / BitPlanes::kInterleave * BitPlanes::kInterleave *
         part.planes;
}

}  // namespace loom
