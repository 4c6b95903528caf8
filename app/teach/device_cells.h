#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "compute/core/coord.h"
#include "compute/engine/fractal_config.h"
#include "compute/geometry/bit_planes.h"

namespace loom::app::teach {

/// Which of several devices that share a field has which cells, by the dealing that the engines use
/// (compute/geometry/plane_parts.h): whole groups, so whole tiles of the fractal but at the cuts.
class DeviceCells {
 public:
  /// `config` has bit planes that can be shared out to so many (why_not_shared()). `name`: what one of them
  /// is, "device".
  DeviceCells(const FractalConfig& config, std::uint32_t devices, std::string name);

  std::uint32_t devices() const { return static_cast<std::uint32_t>(ranges_.size()); }
  const std::string& name() const { return name_; }
  /// Nothing for a hole, and outside.
  std::optional<std::uint32_t> device_of(Coord64 cell) const;
  /// How many cells a device has.
  std::uint64_t cells(std::uint32_t device) const;

  /// A replica of the fractal in itself: `depth` digits of a canonical place, the coarsest, and where it
  /// lies.
  struct Tile {
    int depth = 0;
    std::uint64_t number = 0;
    Coord64 corner;
  };
  int levels() const { return planes_.level; }
  std::uint32_t replicas() const { return planes_.shape.k; }
  Coord64 size(int depth) const { return sizes_[static_cast<std::size_t>(depth)]; }
  Tile child(const Tile& tile, std::uint32_t replica) const;
  /// The device that has all of a tile's cells; nothing where several have some.
  std::optional<std::uint32_t> device_of(const Tile& tile) const;

 private:
  std::uint32_t part_with(std::uint64_t group) const;

  BitPlanes planes_;
  std::vector<PlaneRange> ranges_;
  std::vector<Coord64> sizes_;  ///< of tiles, by depth
  int group_depth_ = 0;         ///< digits of a group
  std::string name_;
};

}  // namespace loom::app::teach
