#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "app/explain/colour_by.h"
#include "app/explain/diagram/diagram.h"
#include "app/explain/space_layout.h"
#include "app/explain/warp_memory_access.h"
#include "compute/engine/timeline.h"

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

/// The memory accesses of a warp in one generation: a row per request with its lanes, its 32-byte sectors,
/// and bytes requested and transferred; then a row per lane with its cell and the byte offsets that it writes
/// and reads. `launch` adds the average over the launch.
Diagram memory_access_diagram(const explain::WarpMemoryAccess& access,
                              const std::optional<explain::LaunchTraffic>& launch);

/// One generation on several devices: two lanes per device, computation above communication, time to the
/// right, then a legend. Each device has the colour of its cells in the pane.
struct DeviceDiagramStyle {
  float width = 40;    ///< including the names, in font sizes
  float lane = 0.9f;   ///< height of a lane, in font sizes
  bool brief = false;  ///< without the axis and the text of measurement_text()
};
Diagram device_diagram(const DeviceTimeline& times, const DeviceDiagramStyle& style);

/// How the times were measured: "CUDA events, set against the steady clock to 9 µs; recorded 10.2 ms, without
/// recording 10.1 ms".
std::string measurement_text(const DeviceTimeline& times);

}  // namespace loom::app::diagram
