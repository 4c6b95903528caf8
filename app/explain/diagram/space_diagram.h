#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "app/explain/colour_by.h"
#include "app/explain/diagram/diagram.h"
#include "app/explain/space_layout.h"

namespace loom::app::diagram {

/// Content of a drawing of a space.
struct SpaceOptions {
  explain::Colouring colouring;
  std::optional<explain::ThreadRef> thread;  ///< marked, with its warp and tile
  /// The states of all cells by canonical index, for ColourBy::kState.
  const std::vector<std::uint8_t>* alive = nullptr;
  std::optional<explain::UnitRect> part = {};  ///< visible part of the space; empty: all of it
};
/// The largest number of units in a drawing.
inline constexpr std::uint64_t kMaxUnits = 1 << 18;

/// The units of a space in their colours, their groups (tiles, thread blocks, cache lines), the marked
/// thread, and a legend. Throws InputError for more than kMaxUnits units.
Diagram space_diagram(const explain::SpaceLayout& layout, const SpaceOptions& options);

}  // namespace loom::app::diagram
