#pragma once

#include <array>
#include <cstdint>
#include <glm/fwd.hpp>
#include <glm/vec3.hpp>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/explain/thread_space.h"
#include "compute/core/coord.h"
#include "compute/core/input_text.h"
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

/// The meaning of the colour of a thread, cell or byte.
enum class ColourBy {
  kState,        ///< dead or alive; not a property of a thread
  kTileIndex,    ///< tile index in the launch, row by row
  kThread,       ///< thread index in tile
  kWarp,         ///< warp of the thread
  kTileSlot,     ///< index of the tile in its thread block
  kAddress,      ///< byte offset
  kReplica,      ///< the replica of the cell at a level of the fractal
  kOrientation,  ///< how the replicas from that level up turn its content
  kWorker,       ///< the multiprocessor (on the CPU the thread) that ran it in a recorded launch
  kDevice,       ///< the device that has the cell
};
inline constexpr auto kColourings = kAllOf<ColourBy::kDevice>;
/// "state", "block", "thread", "warp", "tile", "address", "replica", "orientation", "multiprocessor",
/// "device". The parser throws InputError that lists the names.
std::string_view name_of(ColourBy by);
ColourBy parse_colour_by(std::string_view name);

/// Whether a colouring is that of one level (Colouring::level).
constexpr bool has_level(ColourBy by) {
  return by == ColourBy::kReplica || by == ColourBy::kOrientation;
}

struct Colouring {
  ColourBy by = ColourBy::kState;
  /// For kReplica and kOrientation: 1 is the finest level; the level of the fractal splits the whole square.
  int level = 1;
  /// For kWorker: the recorded launch of the current method; null if there is none.
  std::shared_ptr<const ThreadBlockWorkers> workers = {};
  friend bool operator==(const Colouring&, const Colouring&) = default;
};

/// A value to be coloured.
struct ColourKey {
  enum class Kind : std::uint8_t {
    kNone,     ///< has no value: an idle thread has no address, a hole no replica
    kNumber,   ///< equal numbers have equal colours, adjacent numbers different ones
    kOrdered,  ///< position in an order: `share` from 0 (first) to 1 (last)
  };
  Kind kind = Kind::kNone;
  std::uint64_t number = 0;
  float share = 0;
  friend bool operator==(const ColourKey&, const ColourKey&) = default;
};
/// kNone for kState, for kDevice (distributed cells are bit-packed, see DeviceCells) and for kWorker without
/// a recorded launch. The launch must be of the configuration of `threads`.
ColourKey colour_key(const ThreadSpace& threads, const ThreadLocation& place, const Colouring& colouring);

/// The legend of a colouring: "warp: one colour per warp, 4 warps per thread block", "byte offset, 0 to 863".
struct ColourLegend {
  ColourKey::Kind kind = ColourKey::Kind::kNone;
  std::string title;         ///< "tile ω", "thread index in tile"
  std::string first;         ///< first value of an order, or the meaning of one colour
  std::string last;          ///< last value of an order
  std::uint64_t values = 0;  ///< number of values; 0 if it is not known or exceeds 64 bits
};
ColourLegend legend_of(const ThreadSpace& threads, const Colouring& colouring);
ColourLegend legend_of(const DeviceCells& devices);

/// The colour of a value. Adjacent numbers differ in hue and lightness, an order goes from dark to light, so
/// both remain distinguishable in grey. A key without a value has the colour of idle threads and holes.
glm::u8vec3 data_colour(const ColourKey& key);

/// Opacity of colours over cells; living cells remain visible.
inline constexpr std::uint8_t kColourAlpha = 190;

/// The colour of a cell by its state.
glm::u8vec3 state_colour(bool alive);

/// The colour of a level of the Mandelbrot subdivision, for borders of regions and for grids in a timeline.
glm::u8vec3 level_colour(int level);

/// The colour at `share`, 0 to 1, of an ordered scale: Green's cubehelix ("A colour scheme for the display of
/// astronomical intensity images", 2011) without its darkest and lightest parts.
glm::u8vec3 ordered_colour(float share);

}  // namespace loom::app::explain
