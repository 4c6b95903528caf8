#include "app/workspaces/life/panels/view_panel.h"

#include <imgui.h>

#include <algorithm>
#include <array>

#include "app/explain/memory.h"
#include "app/text/format.h"
#include "app/widgets/control_marks.h"
#include "app/widgets/inputs.h"
#include "app/widgets/text.h"
#include "app/workspaces/life/picture/grid_overlay.h"
#include "compute/core/input_text.h"

namespace loom::app {

namespace {

const char* label_of(explain::ColourBy by) {
  return value_for<explain::ColourBy::kDevice>(
      {"state (dead, alive)", "tile", "thread index in tile", "warp", "tile in thread block",
       "address in memory", "replica at a level", "orientation at a level", "multiprocessor (CPU: thread)",
       "device"},
      by);
}

void colour_choice(LifeSettings& settings) {
  explain::Colouring& colouring = settings.colouring;
  const int levels = std::max(settings.config.level, 1);
  colouring.level = std::clamp(colouring.level, 1, levels);
  row_label("Colour by");
  ImGui::SetNextItemWidth(remaining_width());
  // Bit-packed cells have no tiles and threads to colour by; the choice is kept for byte storage.
  const bool drawn = no_colouring_reason(settings, colouring.by).empty();
  const explain::ColourBy now = drawn ? colouring.by : explain::ColourBy::kState;
  if (!explain::has_tiles(settings.config) && !uses_several_devices(settings)) {
    ImGui::BeginDisabled();
    if (ImGui::BeginCombo("##colour", label_of(explain::ColourBy::kState))) ImGui::EndCombo();
    ImGui::EndDisabled();
    tooltip(explain::kByteStorageOnly);
    return;
  }
  if (ImGui::BeginCombo("##colour", label_of(now))) {
    for (const explain::ColourBy by : explain::kColourings) {
      const std::string_view problem = no_colouring_reason(settings, by);
      ImGui::BeginDisabled(!problem.empty());
      if (ImGui::Selectable(label_of(by), by == now)) colouring.by = by;
      ImGui::EndDisabled();
      tooltip(problem);
    }
    ImGui::EndCombo();
  }
  tooltip("What the colours of cells, threads and memory mean (C)");
  if (!explain::has_level(now)) return;
  row_label("Level");
  ImGui::SetNextItemWidth(remaining_width());
  slider("##replica level", &colouring.level, 1, levels, "%d", ImGuiSliderFlags_AlwaysClamp);
}

}  // namespace

void view_panel(ViewPanelState& state, LifeEdit& edit, const LifeStats& stats) {
  if (!section("View")) return;
  LifeSettings& settings = edit.settings;
  ShellSettings& view = edit.shell.settings;
  palette_choice(view, view.palette, state.palette);
  const auto overlay = [](const char* label, bool* shown, std::string_view hint) {
    ImGui::Checkbox(label, shown);
    tooltip(hint);
  };
  colour_choice(settings);
  {
    const ScopedControlMark marked(Control::kGrids);
    const float column = remaining_width() / 3;
    const float left = ImGui::GetCursorPosX();
    overlay("Cells", &settings.cell_grid, "Grid of cells, shown from 8 pixels per cell (G)");
    ImGui::SameLine(left + column);
    overlay("Tiles", &settings.tile_grid, "Launched tiles, shown from 8 pixels per tile (G)");
    ImGui::SameLine(left + 2 * column);
    bool metrics = shows_metrics(view);
    if (ImGui::Checkbox("Metrics", &metrics)) toggle_metrics(view);
    tooltip("Launch, threads, memory and times (T)");
  }
  overlay("Ages and trails", &settings.show_ages, kAgeLegend);
  if (settings.show_ages) note(stats.ages_hidden_reason.empty() ? kAgeLegend : stats.ages_hidden_reason);
  text_size_row(state.text_size, view);
  constexpr std::array kLabels = {"Fit", "Export", kLectureLabel};
  const ButtonRow line(kLabels);
  if (choice_button(kLabels[0], false, line.width(kLabels[0]), {}, "Fits the fractal into the view (F)")) {
    edit.shell.view.fit = true;
  }
  ImGui::SameLine();
  if (choice_button(kLabels[1], false, line.width(kLabels[1]), {},
                    "Exports a figure of what a pane shows as SVG, PDF, PNG, CSV or LaTeX (Ctrl E)")) {
    edit.commands.save_figure = 0;
  }
  ImGui::SameLine();
  lecture_button(view, remaining_width());
}

namespace {

Text time_of(std::uint64_t nanoseconds) {
  return format_time(static_cast<double>(nanoseconds) / 1e6);
}

void shares(const DeviceTimeline& times, const DeviceTimelineView& lanes) {
  if (!ImGui::BeginTable("##devices", 4)) return;
  ImGui::TableSetupColumn("device", ImGuiTableColumnFlags_WidthStretch, 0.7f);
  muted_titles({"Device", "Step", "Exchange", "Wait"});
  for (std::size_t i = 0; i < times.devices.size(); ++i) {
    const DeviceTimeBreakdown& share = lanes.shares()[i];
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    ImGui::TextUnformatted(format_text("{}", i).c_str());
    tooltip(times.devices[i].name);
    ImGui::TableNextColumn();
    right_aligned(time_of(share.step));
    ImGui::TableNextColumn();
    right_aligned(time_of(share.exchange));
    tooltip(format_text("{} of it did not overlap with computation", time_of(share.shown)));
    ImGui::TableNextColumn();
    right_aligned(time_of(share.wait));
  }
  ImGui::EndTable();
  tooltip(
      format_text("One generation per device: computation, halo exchange (most of it overlaps with "
                  "computation) and waiting for the other devices. {}",
                  lanes.measured()));
}

}  // namespace

const Pane* pane_with_devices(const Pane& scene, const SecondaryPanes& secondary_panes) {
  if (scene.async_engine->backend().devices() > 1) return &scene;
  for (const SecondaryPanes::SecondaryPane& one : secondary_panes.all()) {
    if (one.pane && one.in_sync && one.pane->async_engine->backend().devices() > 1) return one.pane.get();
  }
  return nullptr;
}

void devices_panel(DevicesPanelState& state, LifeEdit& edit, const Pane& pane) {
  state.again = {};
  if (!section("Devices")) return;
  if (!pane.devices) {
    note("Device activity is captured after the first frame.");
    return;
  }
  const DeviceTimeline& times = pane.devices->times;
  if (!pane.devices->problem.empty()) {
    warning(pane.devices->problem);
  } else {
    state.lanes.look_at(times, {.lane = 0.6f, .brief = true});
    shares(times, state.lanes);
    state.lanes.show();
  }
  if (ImGui::SmallButton("Capture again")) edit.commands.record_devices = true;
  state.again = item_area();
  tooltip("Captures one more generation. The cells do not change");
}

}  // namespace loom::app
