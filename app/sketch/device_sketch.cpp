#include "app/sketch/device_sketch.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/teach/timeline_lanes.h"
#include "app/text/format.h"

namespace loom::app::sketch {
namespace {

using teach::ColourKey;

constexpr float kDeviceNames = 3.2f;      ///< left of the lanes
constexpr float kBetweenDevices = 0.25f;  ///< between devices
constexpr float kLeastPiece = 0.08f;      ///< of what is done at all

const char* words_of_work(DeviceWork work) {
  switch (work) {
    case DeviceWork::kRim:
      return "boundary cells, computed first";
    case DeviceWork::kExchange:
      return "halo exchange, including waiting for the others";
    case DeviceWork::kInside:
      return "interior cells";
    case DeviceWork::kPlace:
      return "stores the boundary cells";
    case DeviceWork::kTake:
      return "stores the received halo";
  }
  return "";
}

Paint paint_of_work(DeviceWork work, std::size_t device) {
  const teach::DataColour own = teach::data_colour({ColourKey::Kind::kNumber, device, 0});
  if (work == DeviceWork::kInside) return own;
  if (work == DeviceWork::kExchange) return Ink::kAccent;
  return Ink::kText;
}

}  // namespace

std::string measured_in_words(const DeviceTimes& times) {
  std::string words = fmt::format("Captured in the background by {}", times.clock);
  if (times.exact_to > 0) words += fmt::format(", exact to {}", teach::duration_text(times.exact_to));
  return fmt::format("{}: {} ms; without capture {} ms", words, format_ms(times.milliseconds).c_str(),
                     format_ms(times.plain_milliseconds).c_str());
}

Sketch device_sketch(const DeviceTimes& times, const DeviceLook& look) {
  Sketch sketch;
  std::uint64_t all = 1;
  for (const DeviceTimes::Device& device : times.devices) {
    for (const DevicePiece& piece : device.spans) all = std::max(all, piece.end);
  }
  const float room = std::max(4.0f, look.width - kDeviceNames);
  const auto x = [&](std::uint64_t time) {
    return kDeviceNames + room * static_cast<float>(static_cast<double>(time) / static_cast<double>(all));
  };
  Table table{.name = "devices", .titles = {"device", "work", "begin ns", "end ns"}};
  float y = 0;
  for (std::size_t i = 0; i < times.devices.size(); ++i) {
    const DeviceTimes::Device& device = times.devices[i];
    const DeviceShare share = share_of(times, i);
    const float height = 2 * look.lane;
    sketch.fill({kDeviceNames, y, room, height}, Ink::kRaised);
    sketch.text({0, y + (height - Sketch::kLine) / 2, fmt::format("{}", i),
                 teach::data_colour({ColourKey::Kind::kNumber, i, 0}), Align::kLeft, 1, Text::Face::kBold});
    for (const DevicePiece& piece : device.spans) {
      const bool exchange = piece.work == DeviceWork::kExchange;
      const float from = x(piece.begin);
      const float width = std::max(x(piece.end) - from, kLeastPiece);
      const Box box{from, y + (exchange ? look.lane : 0), width, look.lane * 0.92f};
      sketch.fill(box, paint_of_work(piece.work, i));
      sketch.hot({box, fmt::format("{}: {}, {} from {} to {}", device.name, words_of_work(piece.work),
                                   teach::duration_text(piece.end - piece.begin),
                                   teach::duration_text(piece.begin), teach::duration_text(piece.end))});
      table.rows.push_back({device.name, std::string(name_of(piece.work)), fmt::format("{}", piece.begin),
                            fmt::format("{}", piece.end)});
    }
    sketch.hot(
        {{0, y, kDeviceNames + room, height},
         fmt::format("{}: step {}, exchange {} (not overlapped: {}), wait for the others {}", device.name,
                     teach::duration_text(share.step), teach::duration_text(share.exchange),
                     teach::duration_text(share.shown), teach::duration_text(share.wait))});
    y += height + kBetweenDevices;
  }
  if (!look.brief) {
    sketch.text({kDeviceNames, y, "0", Ink::kMuted});
    sketch.text({kDeviceNames + room, y, teach::duration_text(all), Ink::kMuted, Align::kRight});
    y += Sketch::kLine;
  }
  float at = 0;
  const auto legend = [&](const Paint& paint, const std::string& words) {
    const float width = 1.1f + estimated_width(words) + 1;
    if (at > 0 && at + width > look.width) {
      at = 0;
      y += Sketch::kLine;
    }
    sketch.fill({at, y + 0.2f, 0.75f, 0.75f}, paint);
    sketch.text({at + 1.1f, y, words});
    at += width;
  };
  legend(teach::data_colour({ColourKey::Kind::kNumber, 0, 0}), "interior");
  legend(Ink::kText, "boundary");
  legend(Ink::kAccent, "exchange");
  if (!look.brief) legend(Ink::kRaised, "waiting for the others");
  y += Sketch::kLine;
  if (!look.brief) draw_wrapped(sketch, 0, y + 0.2f, look.width, measured_in_words(times), Ink::kMuted);
  sketch.keep(std::move(table));
  return sketch;
}

}  // namespace loom::app::sketch
