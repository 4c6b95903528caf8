#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "app/explain/device_cells.h"
#include "app/explain/thread_block_workers.h"
#include "app/explain/thread_space.h"

namespace loom::app::explain {

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
inline constexpr std::array kColourings = {
    ColourBy::kState,   ColourBy::kTileIndex, ColourBy::kThread,      ColourBy::kWarp,   ColourBy::kTileSlot,
    ColourBy::kAddress, ColourBy::kReplica,   ColourBy::kOrientation, ColourBy::kWorker, ColourBy::kDevice};
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

}  // namespace loom::app::explain
