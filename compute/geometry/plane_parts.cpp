#include "compute/geometry/plane_parts.h"

#include <fmt/format.h>

#include <algorithm>

#include "compute/core/error.h"
#include "compute/geometry/group_neighbours.h"
#include "compute/geometry/plane_program.h"

namespace loom {
namespace {

/// A group of a part and one of another that lies beside it.
struct Across {
  std::uint32_t own = 0;  ///< both numbered as in the whole
  std::uint32_t other = 0;
};

/// Walks down from the whole to the groups of a part that lie beside others', past all tiles that do not.
class AcrossSearch {
 public:
  AcrossSearch(const BitPlanes& whole, PlaneRange part)
      : shape_(whole.shape),
        occur_(directions_that_occur(whole.shape)),
        part_(part),
        levels_(whole.level - whole.split.plane_levels - whole.split.bit_levels) {}

  std::vector<Across> find() {
    visit(0, 0);
    return std::move(found_);
  }

 private:
  /// How a tile's groups lie to the part.
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
  PlaneRange part_;
  int levels_;
  std::vector<Across> found_;
};

void sort_and_unique(std::vector<std::uint32_t>& numbers) {
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
}

/// The threads, numbered as in the whole, whose words a part needs of others, ascending.
std::vector<std::uint32_t> others_of(const std::vector<Across>& across, std::uint32_t groups_in_word) {
  std::vector<std::uint32_t> others;
  for (const Across& each : across) others.push_back(each.other / groups_in_word);
  sort_and_unique(others);
  return others;
}

/// Where a sorted number is in a sorted list.
std::uint32_t place_in(const std::vector<std::uint32_t>& sorted, std::uint32_t number) {
  return static_cast<std::uint32_t>(std::lower_bound(sorted.begin(), sorted.end(), number) - sorted.begin());
}

}  // namespace

std::vector<PlaneRange> deal_groups(const BitPlanes& whole, std::uint32_t parts, std::uint32_t unit) {
  const std::uint64_t units = (std::uint64_t{whole.groups} + unit - 1) / unit;
  if (parts == 0 || parts > units) {
    throw InputError(fmt::format(
        "bit planes of {} group{} cannot be dealt to {} parts; allowed: at most {}, or a higher level",
        whole.groups, whole.groups == 1 ? "" : "s", parts, units));
  }
  std::vector<PlaneRange> ranges;
  for (std::uint64_t part = 0; part < parts; ++part) {
    const std::uint64_t first = units * part / parts * unit;
    const std::uint64_t end = std::min<std::uint64_t>(units * (part + 1) / parts * unit, whole.groups);
    ranges.push_back({static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(end - first)});
  }
  return ranges;
}

std::vector<PlaneRange> deal_groups(const BitPlanes& whole, std::uint32_t parts) {
  return deal_groups(whole, parts, whole.groups_in_word);
}

PartRim make_part_rim(const BitPlanes& whole, const std::vector<PlaneRange>& parts, std::uint32_t part) {
  const std::uint32_t slots = whole.groups_in_word;
  const BitPlanes own = part_of(whole, parts[part]);
  const auto in = [&](std::uint32_t number, std::uint32_t thread) {
    return thread * slots - parts[number].first < parts[number].groups;
  };
  PartRim rim;
  const std::vector<Across> across = AcrossSearch(whole, parts[part]).find();
  rim.copies = others_of(across, slots);
  rim.first_copy = static_cast<std::uint32_t>((own.threads() + BitPlanes::kTogether - 1) /
                                              BitPlanes::kTogether * BitPlanes::kTogether);
  for (const Across& each : across) rim.rim.push_back((each.own - own.first_group) / slots);
  sort_and_unique(rim.rim);

  for (std::uint32_t other = 0; other < parts.size(); ++other) {
    if (other == part) continue;
    const auto theirs = static_cast<std::uint32_t>(std::count_if(
        rim.copies.begin(), rim.copies.end(), [&](std::uint32_t thread) { return in(other, thread); }));
    const std::uint32_t before =
        rim.told_by.empty() ? 0 : rim.told_by.back().first + rim.told_by.back().count;
    if (theirs > 0) rim.told_by.push_back({other, before, theirs});
    const auto first = static_cast<std::uint32_t>(rim.told.size());
    for (const std::uint32_t thread : others_of(AcrossSearch(whole, parts[other]).find(), slots)) {
      if (in(part, thread)) rim.told.push_back(place_in(rim.rim, thread - own.first_group / slots));
    }
    const auto told = static_cast<std::uint32_t>(rim.told.size()) - first;
    if (told > 0) rim.told_to.push_back({other, first, told});
  }

  // Which group is beside each of the rim's, in the part's own numbers.
  const std::vector<std::uint32_t> table = GroupNeighbours::make_table(whole);
  const GroupNeighbours neighbours(whole, GroupNeighbours::base_of(whole), table.data());
  rim.beside.assign(kDirections * slots * rim.rim.size(), GroupNeighbours::kNone);
  const std::uint32_t occur = directions_that_occur(whole.shape);
  for (int d = 0; d < kDirections; ++d) {
    if (!(occur >> d & 1u)) continue;
    for (std::uint32_t slot = 0; slot < slots; ++slot) {
      for (std::size_t i = 0; i < rim.rim.size(); ++i) {
        const std::uint32_t group = rim.rim[i] * slots + slot;
        if (group >= own.groups) continue;
        const std::uint32_t of_all = neighbours.beside(group + own.first_group, d);
        if (of_all == GroupNeighbours::kNone) continue;
        std::uint32_t beside = of_all - own.first_group;
        if (beside >= own.groups)
          beside = (rim.first_copy + place_in(rim.copies, of_all / slots)) * slots + of_all % slots;
        rim.beside[(static_cast<std::size_t>(d) * slots + slot) * rim.rim.size() + i] = beside;
      }
    }
  }
  return rim;
}

std::uint64_t words_with_copies(const BitPlanes& part, const PartRim& rim) {
  const std::uint64_t threads = std::uint64_t{rim.first_copy} + rim.copies.size();
  return (threads + BitPlanes::kTogether - 1) / BitPlanes::kTogether * BitPlanes::kTogether * part.planes;
}

}  // namespace loom
