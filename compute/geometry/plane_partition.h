#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "compute/geometry/bit_planes.h"
#include "compute/geometry/partition.h"

namespace loom {

// Partitions of a fractal's bit planes, one per device. Each partition has contiguous groups, so that its
// halo is a short list, the same in every generation. The lists are computed from the digits, without a pass
// over all groups.

/// Divides the groups in proportion to `shares`, in whole multiples of `unit` groups. Throws InputError if
/// there are fewer units than partitions, with the largest possible number of partitions, or if a share is
/// less than one unit.
std::vector<GroupRange> partition_groups(const BitPlanes& whole, std::span<const std::uint32_t> shares,
                                         std::uint32_t unit);
/// Divides the groups into partitions of nearly equal size.
std::vector<GroupRange> partition_groups(const BitPlanes& whole, std::uint32_t parts, std::uint32_t unit);

/// Divides the groups as the engines need it: in whole words and, for many groups, in whole replicas, so that
/// several generations per launch are possible.
std::vector<GroupRange> partition_groups(const BitPlanes& whole, std::span<const std::uint32_t> shares);
std::vector<GroupRange> partition_groups(const BitPlanes& whole, std::uint32_t parts);

/// The boundary that a partition sends to others, and the halo that it receives, in units of one thread's
/// words (BitPlanes). Threads are numbered within the partition; the halo follows the partition's own words,
/// as threads from first_copy on.
struct PlaneBoundary {
  using Segment = HaloSegment;

  std::uint32_t first_copy = 0;
  /// Halo: threads of other partitions, numbered as in the whole fractal, ascending.
  std::vector<std::uint32_t> copies;
  std::vector<Segment> received_from;  ///< segments of the halo by sender, in the order of the partitions

  std::vector<std::uint32_t>
      boundary;  ///< own threads with neighbouring groups in other partitions, ascending
  /// Indices into `boundary`, in the order in which the receivers store their halos.
  std::vector<std::uint32_t> sent;
  std::vector<Segment> sent_to;  ///< segments of `sent` by receiver, in the order of the partitions

  /// The boundary threads, followed by the threads with neighbouring groups: own ones and the whole halo. The
  /// boundary depends on no other threads for generations_alone() generations, because nothing crosses a
  /// group faster.
  std::vector<std::uint32_t> listed;
  std::vector<std::uint8_t> groups_listed;  ///< groups of each listed thread
  /// [(direction * groups_in_word + slot) * listed.size() + i]: the neighbour of group `slot` of listed[i],
  /// own or in the halo; GroupNeighbours::kNone if there is none, or if it belongs to another partition and
  /// is not in the halo.
  std::vector<std::uint32_t> beside;
  /// The same neighbours as indices into `listed`; kNone for all that are not listed.
  std::vector<std::uint32_t> listed_neighbours;
};

/// The number of generations for which the cells of a group depend only on the group and its neighbours: the
/// smaller of the group's width and height.
std::uint32_t generations_alone(const BitPlanes& planes);

/// The boundary and halo of one partition.
PlaneBoundary make_plane_boundary(const BitPlanes& whole, const std::vector<GroupRange>& parts,
                                  std::uint32_t part);

/// Words of a generation including the halo.
std::uint64_t words_with_copies(const BitPlanes& part, const PlaneBoundary& boundary);

}  // namespace loom
