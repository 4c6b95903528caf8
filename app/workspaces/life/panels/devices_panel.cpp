#include "app/workspaces/life/panels/devices_panel.h"

#include <imgui.h>

#include "app/text/format.h"
#include "app/widgets/choice.h"
#include "app/widgets/item_area.h"
#include "app/widgets/rows.h"
#include "app/widgets/text.h"

namespace loom::app {
namespace {

Text milliseconds_of(std::uint64_t nanoseconds) {
  const double milliseconds = static_cast<double>(nanoseconds) / 1e6;
  return nanoseconds < 1000 ? format_text("{:.4f}", milliseconds) : format_ms(milliseconds);
}

void shares(const DeviceTimeline& times, const DeviceTimelineView& lanes) {
  if (!ImGui::BeginTable("##devices", 4)) return;
  ImGui::TableSetupColumn("device", ImGuiTableColumnFlags_WidthStretch, 0.7f);
  muted_titles({"Device", "Step ms", "Exchange", "Wait"});
  for (std::size_t i = 0; i < times.devices.size(); ++i) {
    const DeviceTimeBreakdown& share = lanes.shares()[i];
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    ImGui::TextUnformatted(format_text("{}", i).c_str());
    tooltip(times.devices[i].name);
    ImGui::TableNextColumn();
    right_aligned(milliseconds_of(share.step));
    ImGui::TableNextColumn();
    right_aligned(milliseconds_of(share.exchange));
    tooltip(format_text("{} ms of it did not overlap with computation", milliseconds_of(share.shown)));
    ImGui::TableNextColumn();
    right_aligned(milliseconds_of(share.wait));
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

float devices_panel_lines(std::size_t devices) {
  return devices < 2 ? 0 : 6 + 2.8f * static_cast<float>(devices);
}

}  // namespace loom::app
