#include "app/workspaces/mandelbrot/panels/dwell_devices.h"

#include <imgui.h>

#include <algorithm>

#include "app/text/format.h"
#include "app/widgets/choice.h"
#include "app/widgets/rows.h"
#include "app/widgets/text.h"
#include "app/workspaces/mandelbrot/picture/device_overlay.h"

namespace loom::app {
namespace {

/// Time at which the last device finished.
double end_of(std::span<const DwellPartition> parts) {
  double end = 0;
  for (const DwellPartition& part : parts) end = std::max(end, part.time.end);
  return end;
}

void table(std::span<const DwellPartition> parts, double end) {
  if (!ImGui::BeginTable("##devices", 4)) return;
  ImGui::TableSetupColumn("device", ImGuiTableColumnFlags_WidthStretch, 0.7f);
  muted_titles({"device", "work ms", "wait", "pixels"});
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const MandelbrotPartitionTime& time = parts[i].time;
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    ImGui::TextUnformatted(format_text("{}", i).c_str());
    ImGui::TableNextColumn();
    right_aligned(format_ms(time.milliseconds));
    ImGui::TableNextColumn();
    right_aligned(format_ms(std::max(0.0, end - time.end + time.begin)));
    ImGui::TableNextColumn();
    right_aligned(format_count(time.pixels));
  }
  ImGui::EndTable();
  tooltip(
      "The last computation: the time each device worked by its own clock, the time it waited, and the "
      "pixels of its rows. The rows of the next frame are distributed by the costs of this one.");
}

void lanes(std::span<const DwellPartition> parts, double end) {
  const float font = ImGui::GetFontSize();
  const float lane = font * 0.6f;
  const glm::vec2 at = ImGui::GetCursorScreenPos();
  const float name = font * 1.2f;
  const float width = std::max(ImGui::GetContentRegionAvail().x - name, font);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const MandelbrotPartitionTime& time = parts[i].time;
    const float top = at.y + static_cast<float>(i) * (lane + font * 0.25f);
    const auto x = [&](double of) { return at.x + name + width * static_cast<float>(of / end); };
    list.AddRectFilled({at.x, top}, {at.x + lane, top + lane}, colour_of_device(i));
    list.AddRectFilled({at.x + name, top}, {at.x + name + width, top + lane},
                       ImGui::GetColorU32(ImGuiCol_FrameBg));
    list.AddRectFilled({x(time.begin), top}, {std::max(x(time.end), x(time.begin) + 1), top + lane},
                       colour_of_device(i));
  }
  ImGui::Dummy({name + width, static_cast<float>(parts.size()) * (lane + font * 0.25f)});
  tooltip(
      format_text("The whole computation ({} ms). Each bar spans from sending the rows to the device until "
                  "its completion is known, calls included",
                  format_ms(end)));
}

}  // namespace

void dwell_devices(const MandelbrotStats& now) {
  const double end = end_of(now.parts);
  if (now.parts.size() < 2 || end <= 0) return;
  table(now.parts, end);
  lanes(now.parts, end);
}

}  // namespace loom::app
