#include "compute/geometry/partition.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>

#include "compute/core/error.h"
#include "compute/core/integer_math.h"
#include "compute/geometry/bit_planes.h"

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

  /// The position of a replica's cells relative to the partition.
  enum class Lies { kInside, kOutside, kAcross };
  Lies lies(int depth, const Tile& tile) const {
    const std::uint64_t rows =
        rows_of_tile_[static_cast<std::size_t>(std::max(0, whole_.coarse_level - depth))];
    const std::uint64_t first = tile.omega_y * rows;
    const std::uint64_t end = part_.first + part_.count;
    if (first >= part_.first && first + rows <= end) return Lies::kInside;
    return first >= end || first + rows <= part_.first ? Lies::kOutside : Lies::kAcross;
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
    if (firsts[i + 1] <= firsts[i]) {
      throw InputError(
          fmt::format("a share of {} in {} is less than one of {} units of {} row{} of tiles; allowed: "
                      "shares of at least one unit, a higher level, or smaller tiles",
                      shares[i], std::accumulate(shares.begin(), shares.end(), std::uint64_t{0}), rows / unit,
                      unit, unit == 1 ? "" : "s"));
    }
    parts.push_back({firsts[i] * unit, (firsts[i + 1] - firsts[i]) * unit});
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
  std::sort(boundary.copies.begin(), boundary.copies.end());
  boundary.copies.erase(std::unique(boundary.copies.begin(), boundary.copies.end()), boundary.copies.end());

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
      const auto copy =
          std::lower_bound(boundary.copies.begin(), boundary.copies.end(), place) - boundary.copies.begin();
      boundary.beside[d * across.size() + i] =
          is_own(place) ? place - bytes.origin : bytes.copies + static_cast<std::uint64_t>(copy);
    }
  }
  return boundary;
}

std::uint64_t bytes_with_copies(const TiledFractal& part, const ByteBoundary& boundary) {
  return part_bytes(part).copies + boundary.copies.size();
}

}  // namespace loom
