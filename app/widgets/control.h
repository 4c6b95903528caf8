#pragma once

#include <array>
#include <string_view>

#include "compute/core/input_text.h"

namespace loom::app {

/// Controls that other code can refer to; a lesson highlights one. Each is marked where it is drawn (see
/// control_marks.h).
enum class Control {
  // Life, in the controls' column.
  kFractal,
  kLevel,
  kMap,
  kBlock,
  kArithmetic,
  kIntraBlock,
  kTiles,
  kHalo,
  kWorkload,
  kPlay,
  kRule,
  kStart,
  kPanes,
  kGrids,
  // Life, in the dock.
  kThread,
  kLambda,
  kTraffic,
  kPanesMetrics,
  kMetrics,
  // Over the picture, and below it.
  kLegend,
  kCaption,
  // Mandelbrot.
  kMethod,
  kCut,
  kDwell,
  kRegions,
  kPlace,
  kPrecision,
  kWork,
  kLevels,
  kExhaustive,
  kCostModel,
  kLandscape,
  // Both.
  kWorkspace,
  kSidePanel,  ///< the button that unfolds the side panel
};
inline constexpr auto kControls = kAllOf<Control::kSidePanel>;

/// "map", "block", "panes-figures": the name in lessons. The parser throws InputError that lists the names.
std::string_view name_of(Control control);
Control parse_control(std::string_view name);

}  // namespace loom::app
