#include "app/explain/diagram/device_diagram.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/explain/data_colour.h"
#include "app/explain/timeline_lanes.h"
#include "app/text/format.h"

namespace loom::app::diagram {
namespace {

using explain::ColourKey;

constexpr float kDeviceNames = 3.2f;      ///< width of the names left of the lanes
constexpr float kBetweenDevices = 0.25f;  ///< gap between devices
constexpr float kMinPiece = 0.08f;        ///< minimum width of an interval

const char* words_of_work(DeviceWork work) {
  switch (work) {
    case DeviceWork::kBoundary:
      return "boundary cells, computed first";
    case DeviceWork::kExchange:
      return "halo exchange, including waiting for the others";
    case DeviceWork::kInterior:
      return "interior cells";
    case DeviceWork::kScatter:
      return "stores the boundary cells";
    case DeviceWork::kUnpack:
      return "stores the received halo";
  }
  return "";
}

Paint paint_of_work(DeviceWork work, std::size_t device) {
  const glm::u8vec3 own = explain::data_colour({ColourKey::Kind::kNumber, device, 0});
  if (work == DeviceWork::kInterior) return own;
  if (work == DeviceWork::kExchange) return ColourRole::kAccent;
  return ColourRole::kText;
}

}  // namespace

std::string measurement_text(const DeviceTimeline& times) {
  std::string words = fmt::format("Captured in the background by {}", times.clock);
  if (times.clock_uncertainty > 0)
    words += fmt::format(", exact to {}", explain::duration_text(times.clock_uncertainty));
  return fmt::format("{}: {} ms; without capture {} ms", words, format_ms(times.milliseconds).c_str(),
                     format_ms(times.plain_milliseconds).c_str());
}

Diagram device_diagram(const DeviceTimeline& times, const DeviceDiagramStyle& style) {
  Diagram diagram;
  std::uint64_t all = 1;
  for (const DeviceTimeline::Device& device : times.devices) {
    for (const DeviceWorkSpan& piece : device.spans) all = std::max(all, piece.end);
  }
  const float room = std::max(4.0f, style.width - kDeviceNames);
  const auto x = [&](std::uint64_t time) {
    return kDeviceNames + room * static_cast<float>(static_cast<double>(time) / static_cast<double>(all));
  };
  Table table{.name = "devices", .titles = {"device", "work", "begin ns", "end ns"}};
  float y = 0;
  for (std::size_t i = 0; i < times.devices.size(); ++i) {
    const DeviceTimeline::Device& device = times.devices[i];
    const DeviceTimeBreakdown share = time_breakdown(times, i);
    const float height = 2 * style.lane;
    diagram.fill({{kDeviceNames, y}, {room, height}}, ColourRole::kRaised);
    diagram.text({{0, y + (height - Diagram::kLine) / 2},
                  fmt::format("{}", i),
                  explain::data_colour({ColourKey::Kind::kNumber, i, 0}),
                  Align::kLeft,
                  1,
                  FontFace::kBold});
    for (const DeviceWorkSpan& piece : device.spans) {
      const bool exchange = piece.work == DeviceWork::kExchange;
      const float from = x(piece.begin);
      const float width = std::max(x(piece.end) - from, kMinPiece);
      const Box box{{from, y + (exchange ? style.lane : 0)}, {width, style.lane * 0.92f}};
      diagram.fill(box, paint_of_work(piece.work, i));
      diagram.hotspot(
          {box, fmt::format("{}: {}, {} from {} to {}", device.name, words_of_work(piece.work),
                            explain::duration_text(piece.end - piece.begin),
                            explain::duration_text(piece.begin), explain::duration_text(piece.end))});
      table.rows.push_back({device.name, std::string(name_of(piece.work)), fmt::format("{}", piece.begin),
                            fmt::format("{}", piece.end)});
    }
    diagram.hotspot(
        {{{0, y}, {kDeviceNames + room, height}},
         fmt::format("{}: step {}, exchange {} (not overlapped: {}), wait for the others {}", device.name,
                     explain::duration_text(share.step), explain::duration_text(share.exchange),
                     explain::duration_text(share.shown), explain::duration_text(share.wait))});
    y += height + kBetweenDevices;
  }
  if (!style.brief) {
    diagram.text({{kDeviceNames, y}, "0", ColourRole::kMuted});
    diagram.text({{kDeviceNames + room, y}, explain::duration_text(all), ColourRole::kMuted, Align::kRight});
    y += Diagram::kLine;
  }
  float at = 0;
  const auto legend = [&](const Paint& paint, const std::string& words) {
    const float width = 1.1f + estimated_width(words) + 1;
    if (at > 0 && at + width > style.width) {
      at = 0;
      y += Diagram::kLine;
    }
    diagram.fill({{at, y + 0.2f}, {0.75f, 0.75f}}, paint);
    diagram.text({{at + 1.1f, y}, words});
    at += width;
  };
  legend(explain::data_colour({ColourKey::Kind::kNumber, 0, 0}), "interior");
  legend(ColourRole::kText, "boundary");
  legend(ColourRole::kAccent, "exchange");
  if (!style.brief) legend(ColourRole::kRaised, "waiting for the others");
  y += Diagram::kLine;
  if (!style.brief)
    draw_wrapped(diagram, {0, y + 0.2f}, style.width, measurement_text(times), ColourRole::kMuted);
  diagram.add_table(std::move(table));
  return diagram;
}

}  // namespace loom::app::diagram
