#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "compute/engine/fractal_config.h"
#include "compute/geometry/byte_partition.h"
#include "compute/geometry/plane_partition.h"

namespace loom {

// Whether and how a configuration's cells are partitioned.

/// Throws InputError if the configuration is invalid, if the map is not compact, or if there are too few
/// groups of bit planes, or tile rows, for this number of partitions.
void check_partitionable(const FractalConfig& config, std::uint32_t parts);

/// The reason why the cells of this configuration cannot be distributed over this number of devices, as one
/// sentence; empty if they can.
std::string partition_problem(const FractalConfig& config, std::size_t devices);

/// The partitions: groups of bit planes, or tile rows for byte storage.
struct Partitioning {
  std::vector<GroupRange> groups;
  std::vector<TileRows> rows;
  std::size_t parts() const { return groups.size() + rows.size(); }
};

/// Divides the cells in proportion to `shares`, or equally without shares. Throws InputError if there are too
/// few groups or rows.
Partitioning make_partitioning(const FractalConfig& config, std::uint32_t count,
                               std::span<const std::uint32_t> shares = {});

/// Bytes of both generations of a partition, without its halo.
std::uint64_t bytes_of_partition(const FractalConfig& config, const Partitioning& partitioning,
                                 std::uint32_t number);

}  // namespace loom
