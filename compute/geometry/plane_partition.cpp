#include "compute/geometry/plane_partition.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "compute/core/error.h"
#include "compute/geometry/group_table.h"
#include "compute/geometry/plane_program.h"

namespace loom {
namespace {

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
  /// The position of a replica's groups relative to the partition.
  enum class Lies { kInside, kOutside, kAcross };
  Lies lies(int depth, std::uint64_t tile) const {
    const std::uint64_t size = small_power(shape_.k, levels_ - depth);
    const std::uint64_t first = tile * size;
    const std::uint64_t end = std::uint64_t{part_.first} + part_.groups;
    if (first >= part_.first && first + size <= end) return Lies::kInside;
    return first >= end || first + size <= part_.first ? Lies::kOutside : Lies::kAcross;
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

void sort_and_unique(std::vector<std::uint32_t>& numbers) {
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
}

/// The threads of other partitions, numbered as in the whole fractal, whose words a partition needs,
/// ascending.
std::vector<std::uint32_t> others_of(const std::vector<Across>& across, std::uint32_t groups_in_word) {
  std::vector<std::uint32_t> others;
  for (const Across& each : across) others.push_back(each.other / groups_in_word);
  sort_and_unique(others);
  return others;
}

/// The index of a number in a sorted list.
std::uint32_t place_in(const std::vector<std::uint32_t>& sorted, std::uint32_t number) {
  return static_cast<std::uint32_t>(std::lower_bound(sorted.begin(), sorted.end(), number) - sorted.begin());
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
      throw InputError(
          fmt::format("a share of {} in {} is less than one of {} units of {} group{}; allowed: "
                      "shares of at least one unit, or a higher level",
                      shares[i], std::accumulate(shares.begin(), shares.end(), std::uint64_t{0}), units, unit,
                      unit == 1 ? "" : "s"));
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
    if (theirs > 0) boundary.received_from.push_back({other, before, theirs});
    const auto first = static_cast<std::uint32_t>(boundary.sent.size());
    for (const std::uint32_t thread : others_of(AcrossSearch(whole, parts[other]).find(), slots)) {
      if (in(part, thread))
        boundary.sent.push_back(place_in(boundary.boundary, thread - own.first_group / slots));
    }
    const auto sent = static_cast<std::uint32_t>(boundary.sent.size()) - first;
    if (sent > 0) boundary.sent_to.push_back({other, first, sent});
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
