#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "compute/core/coord.h"
#include "compute/engine/fractal_config.h"

namespace loom::app::explain {

/// The device of each cell of a distributed field, by the distribution that the engines use
/// (compute/distributed/partitioning.h): whole groups of bit planes, so whole tiles of the fractal except at
/// the cuts, or rows of tiles for byte storage.
class DeviceCells {
 public:
  /// `config` must be distributable over `devices` devices (partition_problem()). `name` is the noun for
  /// one of them, "device".
  DeviceCells(const FractalConfig& config, std::uint32_t devices, std::string name);

  std::uint32_t devices() const { return static_cast<std::uint32_t>(firsts_.size() - 1); }
  const std::string& name() const { return name_; }
  /// Empty for a hole and for a point outside the square.
  std::optional<std::uint32_t> device_of(Coord64 cell) const;
  /// The number of cells of a device.
  std::uint64_t cells(std::uint32_t device) const;

  /// A replica of the fractal: `depth` coarsest digits of a canonical index, of which `unit` holds the digits
  /// that determine the device; and its position.
  struct Tile {
    int depth = 0;
    std::uint64_t unit = 0;
    Coord64 corner;
  };
  int levels() const { return levels_; }
  std::uint32_t replicas() const { return shape_.k; }
  Coord64 size(int depth) const { return sizes_[static_cast<std::size_t>(depth)]; }
  Tile child(const Tile& tile, std::uint32_t replica) const;
  /// The device that has all cells of a tile; empty if several devices share them.
  std::optional<std::uint32_t> device_of(const Tile& tile) const;

 private:
  std::uint32_t device_of_unit(std::uint64_t unit) const;

  NbbShape shape_;
  int levels_;
  /// First distributed unit (group or row of tiles) of each device, then the number of units.
  std::vector<std::uint64_t> firsts_;
  std::vector<bool> is_unit_digit_;   ///< by depth: whether the digit belongs to the unit
  std::vector<std::uint64_t> units_;  ///< by depth: number of units that a tile covers
  std::vector<Coord64> sizes_;        ///< sizes of tiles, by depth
  std::uint64_t cells_of_unit_ = 1;
  std::string name_;
};

}  // namespace loom::app::explain
