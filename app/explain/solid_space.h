#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/explain/thread_space.h"
#include "compute/solid/solid_view.h"

namespace loom::app::explain {

/// The thread of a cell of a three-dimensional fractal: where it is in the launch, and its byte.
struct SolidThreadLocation {
  Coord3 cell;
  SolidThreadRef ref;
  Coord3 omega;  ///< tile index: omega, or the tile position for the bounding box
  Coord3 place;  ///< tile position in the cube, in tiles
  Coord3 at;     ///< position in the tile
  SolidThreadPlace launch;
  std::uint64_t address = 0;  ///< byte offset of the cell in one generation
  std::uint32_t warp() const { return launch.rank / kWarpLanes; }  ///< in its thread block
  std::uint32_t lane() const { return launch.rank % kWarpLanes; }
  std::uint64_t line() const { return address / kLineBytes; }
};

/// One level of lambda for a tile index.
struct SolidLambdaStep {
  int level = 0;    ///< of the coarse fractal, 1 the finest
  char axis = 'x';  ///< of omega that the digit is of
  std::uint32_t digit = 0;
  Coord3 offset;  ///< of the replica
  Coord3 weight;  ///< the sides of the level's box, in tiles
  Coord3 sum;     ///< of the levels so far, in tiles
};

/// The launch of one generation on a three-dimensional fractal, with queries for one cell. Needs no engine.
class SolidThreadSpace {
 public:
  /// Throws InputError for an invalid configuration.
  explicit SolidThreadSpace(const SolidConfig& config);
  SolidThreadSpace(const SolidThreadSpace&) = delete;
  SolidThreadSpace& operator=(const SolidThreadSpace&) = delete;

  const SolidConfig& config() const { return config_; }
  const SolidLaunch& launch() const { return launch_; }
  const SolidMap& map() const { return map_; }
  /// Nothing for a hole and a point outside.
  std::optional<SolidThreadLocation> location_of(Coord3 cell) const;
  /// The levels of lambda, the finest first; none for the bounding box. The last sum is the tile position.
  std::vector<SolidLambdaStep> lambda_steps(Coord3 omega) const;

 private:
  SolidConfig config_;
  SolidTables tables_;  ///< those of the map
  SolidMap map_;
  SolidLaunch launch_;
};

/// "tile ω (2, 0, 1), thread 37, thread block 5, byte 12,345".
std::string location_text(const SolidThreadSpace& space, const SolidThreadLocation& location);

}  // namespace loom::app::explain
