#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "app/sketch/sketch.h"
#include "app/teach/colour_by.h"
#include "app/teach/space_layout.h"

namespace loom::app::sketch {

/// What a drawing of a space shows.
struct SpaceWish {
  teach::Colouring colouring;
  std::optional<teach::ThreadRef> thread;  ///< marked, with its warp and tile
  /// The states of all cells by canonical index, for colours by state.
  const std::vector<std::uint8_t>* alive = nullptr;
  std::optional<teach::UnitBox> part = {};  ///< of the space; else all of it
};
/// A drawing has no more units than this.
inline constexpr std::uint64_t kMostUnits = 1 << 18;

/// The units of a space in their colours, their groups (tiles, thread blocks, cache lines), the marked
/// thread, and a legend. Throws InputError for more than kMostUnits units.
Sketch space_sketch(const teach::SpaceLayout& layout, const SpaceWish& wish);

}  // namespace loom::app::sketch
