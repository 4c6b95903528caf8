#include "app/workspaces/life/panels/launch_diagram.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "app/gui/theme.h"
#include "app/text/format.h"
#include "app/widgets/inputs.h"
#include "app/widgets/text.h"
#include "compute/map/tiling.h"

namespace loom::app {
namespace {

// At high levels there are too many tiles to draw each one, so the bar shows proportions.
void proportion_bar(const LaunchCount& count, std::uint64_t of, float width, float height) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const glm::vec2 at = ImGui::GetCursorScreenPos();
  const auto share = [&](std::uint64_t blocks) {
    return width * static_cast<float>(static_cast<double>(blocks) / static_cast<double>(of));
  };
  const float cell_pane_count = std::max(1.0f, share(count.occupied_tiles));
  const float launched = std::max(cell_pane_count, share(count.tiles));
  const ImU32 solid = ImGui::ColorConvertFloat4ToU32(theme::colours().accent);
  list.AddRectFilled(at, {at.x + width, at.y + height}, ImGui::GetColorU32(ImGuiCol_FrameBg), 2);
  list.AddRectFilled(at, {at.x + launched, at.y + height},
                     theme::overlay(theme::in_force() == Theme::kLight).empty_tile_outline, 2);
  list.AddRectFilled(at, {at.x + cell_pane_count, at.y + height}, solid, 2);
  ImGui::Dummy({width, height});
}

}  // namespace

void launch_diagram(const TileGrid& space, const MapMethod& method, const LaunchCount& count) {
  const LaunchCount box = space.launch_count(MapKind::kBoundingBox);
  const LaunchShape shape = space.launch_shape(method.map);
  const GpuLaunch launch = gpu_launch(method, space.tiled(), shape);
  ImGui::BeginGroup();
  proportion_bar(count, box.tiles, ImGui::GetContentRegionAvail().x, ImGui::GetFontSize() * 0.55f);
  note(format_text("{} × {} tiles, {} per thread block", format_count(shape.tiles_x),
                   format_count(shape.tiles_y), plural(launch.tiling.tiles(), "tile")));
  note(format_text("Thread utilization {}", format_percent(count.utilization())));
  ImGui::EndGroup();
  tooltip(format_text(
      "Bar: the {} tiles of the bounding box. Bright: the {} tiles with cells. Orange: empty tiles. "
      "Dark: not launched. A tile has {} × {} threads. Active threads: {} of {}.",
      format_count(box.tiles), format_count(box.occupied_tiles), shape.threads_x, shape.threads_y,
      format_count(count.cells), format_count(count.launched)));
}

}  // namespace loom::app
