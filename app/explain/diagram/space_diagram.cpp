#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "app/explain/diagram/diagrams.h"
#include "app/explain/timeline_lanes.h"
#include "app/text/format.h"
#include "compute/core/error.h"
#include "compute/core/input_text.h"

namespace loom::app::diagram {
namespace {

using explain::ColourKey;
using explain::SpaceLayout;

constexpr float kWidest = 44;  ///< maximum width of the space, in font sizes
constexpr float kLargestUnit = 1.6f;
constexpr int kSwatches = 4;

const char* name_of_group(explain::Space space) {
  return value_for<explain::Space::kMemory>({"launched tiles", "thread blocks", "cache lines (128 B)"},
                                            space);
}

/// Draws a part of a layout into a diagram. A unit has a side of side_ font sizes.
class Units {
 public:
  Units(Diagram& diagram, const SpaceLayout& layout, const explain::UnitRect& part, float top)
      : sketch_(diagram),
        layout_(layout),
        low_(part.corner),
        end_{part.corner.x + part.size.x, part.corner.y + part.size.y},
        top_(top),
        side_(std::min(kLargestUnit, kWidest / static_cast<float>(std::max(part.size.x, part.size.y)))) {}

  /// The box of units, clipped to the part. They must overlap it.
  Box box(Coord64 unit, Coord64 size = {1, 1}) const {
    const Coord64 low{std::max(unit.x, low_.x), std::max(unit.y, low_.y)};
    const Coord64 end{std::min(unit.x + size.x, end_.x), std::min(unit.y + size.y, end_.y)};
    const glm::vec2 corner = glm::vec2(low.x - low_.x, low.y - low_.y) * side_;
    return {{corner.x, top_ + corner.y}, glm::vec2(end.x - low.x, end.y - low.y) * side_};
  }
  float bottom() const { return top_ + static_cast<float>(end_.y - low_.y) * side_; }

  /// Joins runs of one colour in a row into one rectangle, which avoids seams and makes files smaller.
  template <typename ColourAt>
  void fill(const ColourAt& colour_at) {
    for (std::uint64_t y = low_.y; y < end_.y; ++y) {
      std::uint64_t begin = low_.x;
      std::optional<glm::u8vec3> run;
      for (std::uint64_t x = low_.x; x <= end_.x; ++x) {
        const auto colour = x < end_.x ? colour_at(Coord64{x, y}) : std::nullopt;
        if (colour == run && x < end_.x) continue;
        if (run) sketch_.fill(box({begin, y}, {x - begin, 1}), *run);
        begin = x;
        run = colour;
      }
    }
  }

  void groups() {
    const Coord64 size = layout_.group_size();
    for (std::uint64_t y = low_.y / size.y * size.y; y < end_.y; y += size.y) {
      const std::uint64_t row = std::max(y, low_.y);
      for (std::uint64_t x = low_.x; x < end_.x;) {
        const auto group = layout_.group_of({x, row});
        if (group) sketch_.frame(box(group->corner, group->size), ColourRole::kLine, 0.06f);
        // Gaps between columns of memory contain no group.
        x = group                                        ? group->corner.x + group->size.x
            : layout_.space() == explain::Space::kMemory ? x + 1
                                                         : x / size.x * size.x + size.x;
      }
    }
  }

  void mark(const explain::ThreadLocation& place, const Paint& paint, float thickness) {
    const auto unit = layout_.unit_of(place);
    const bool here = unit && unit->x >= low_.x && unit->x < end_.x && unit->y >= low_.y && unit->y < end_.y;
    if (here) sketch_.frame(box(*unit), paint, thickness);
  }

 private:
  Diagram& sketch_;
  const SpaceLayout& layout_;
  Coord64 low_;
  Coord64 end_;
  float top_;
  float side_;
};

float draw_legend(Diagram& diagram, float y, const SpaceLayout& layout, const explain::Colouring& colouring) {
  const explain::ColourLegend legend = explain::legend_of(layout.threads(), colouring);
  Legend entries(diagram, y, std::numeric_limits<float>::infinity());
  std::vector<Paint> colours;
  switch (legend.kind) {
    case ColourKey::Kind::kNone:
      entries.entry(explain::state_colour(false), legend.first);
      entries.entry(explain::state_colour(true), legend.last);
      break;
    case ColourKey::Kind::kNumber: {
      const std::uint64_t count =
          std::min<std::uint64_t>(legend.values == 0 ? kSwatches : legend.values, kSwatches);
      for (std::uint64_t i = 0; i < count; ++i)
        colours.push_back(explain::data_colour({ColourKey::Kind::kNumber, i, 0}));
      entries.entry(colours, legend.title + ": " + legend.first);
      break;
    }
    case ColourKey::Kind::kOrdered:
      for (int i = 0; i < 8; ++i) colours.push_back(explain::ordered_colour(static_cast<float>(i) / 7));
      entries.entry(colours, fmt::format("{}, {} to {}", legend.title, legend.first, legend.last));
      break;
  }
  entries.entry(explain::data_colour({}),
                layout.space() == explain::Space::kCells ? "idle thread" : "without a cell");
  return entries.below();
}

/// The requested part, clipped to the layout; at least one unit.
explain::UnitRect part_of(const SpaceLayout& layout, const std::optional<explain::UnitRect>& wanted) {
  if (!wanted) return {{0, 0}, {layout.width(), layout.height()}};
  const Coord64 corner{std::min(wanted->corner.x, layout.width() - 1),
                       std::min(wanted->corner.y, layout.height() - 1)};
  return {corner,
          {std::clamp<std::uint64_t>(wanted->size.x, 1, layout.width() - corner.x),
           std::clamp<std::uint64_t>(wanted->size.y, 1, layout.height() - corner.y)}};
}

}  // namespace

Diagram space_diagram(const SpaceLayout& layout, const SpaceOptions& options) {
  const explain::UnitRect part = part_of(layout, options.part);
  const bool fits = part.size.x <= kMaxUnits && part.size.y <= kMaxUnits / part.size.x;
  if (!fits) {
    throw InputError(
        fmt::format("{}: {} x {} units are too many to draw; allowed: at most {}, at a lower level",
                    name_of(layout.space()), format_count(part.size.x), format_count(part.size.y),
                    format_count(kMaxUnits)));
  }
  const explain::ThreadSpace& threads = layout.threads();
  const bool by_state = options.colouring.by == explain::ColourBy::kState;
  Diagram diagram;
  diagram.text(
      {.at = {0, 0},
       .text = fmt::format("{}: {} level {}, {}", name_of(layout.space()), threads.config().fractal.name(),
                           threads.config().level, to_string(threads.config().method)),
       .face = FontFace::kBold});
  Units units(diagram, layout, part, Diagram::kLine + 0.4f);
  units.fill([&](Coord64 unit) -> std::optional<glm::u8vec3> {
    const auto ref = layout.thread_at(unit);
    if (!ref) {
      if (!layout.exists(unit) || layout.space() == explain::Space::kCells) return std::nullopt;
      return explain::data_colour({});
    }
    const explain::ThreadLocation place = threads.location_of(*ref);
    if (!by_state) return explain::data_colour(explain::colour_key(threads, place, options.colouring));
    const auto index = place.has_cell ? threads.index_of_cell(place.cell) : std::nullopt;
    if (!index) return explain::data_colour({});
    return explain::state_colour(options.alive != nullptr &&
                                 (*options.alive)[static_cast<std::size_t>(*index)] != 0);
  });
  units.groups();
  float y = units.bottom() + 0.4f;
  if (part.size != Coord64{layout.width(), layout.height()}) {
    diagram.text({.at = {0, y},
                  .text = fmt::format("From ({}, {}) to ({}, {}) of {} x {}.", part.corner.x, part.corner.y,
                                      part.corner.x + part.size.x - 1, part.corner.y + part.size.y - 1,
                                      format_count(layout.width()), format_count(layout.height())),
                  .paint = ColourRole::kMuted});
    y += Diagram::kLine;
  }
  y = draw_legend(diagram, y, layout, options.colouring);
  diagram.text({.at = {0, y},
                .text = fmt::format("Outlined: {}.", name_of_group(layout.space())),
                .paint = ColourRole::kMuted});
  y += Diagram::kLine;
  if (!options.thread) return diagram;
  for (const explain::ThreadLocation& place : threads.locations_in_tile(options.thread->tile)) {
    units.mark(place, ColourRole::kText, 0.05f);
  }
  for (const auto& lane : threads.locations_of(threads.warp_of(*options.thread))) {
    if (lane) units.mark(*lane, ColourRole::kMark, 0.12f);
  }
  units.mark(threads.location_of(*options.thread), ColourRole::kSelection, 0.25f);
  draw_wrapped(
      diagram, {0, y}, kWidest,
      "Marked: " + threads.sentence(*options.thread) + "; the lanes of its warp; thin outline: its tile.",
      ColourRole::kMuted);
  return diagram;
}

namespace {

using explain::Buffer;
using explain::MemoryRequest;

const char* name_of(Buffer buffer) {
  return value_for<Buffer::kShared>({"this generation", "the next generation", "table of tile cells",
                                     "list of halo cells", "shared memory"},
                                    buffer);
}

std::vector<std::string> row_of(const MemoryRequest& request) {
  std::string sectors = "–";
  std::string used;
  if (request.buffer == Buffer::kShared) {
    used = request.bank_conflicts() == 0 ? "no conflicts"
                                         : fmt::format("{} bank conflicts", request.bank_conflicts());
  } else {
    sectors = std::to_string(request.sectors());
    used = fmt::format("{} / {} B", request.bytes_requested(), request.sectors() * explain::kSectorBytes);
  }
  return {request.name,
          std::move(sectors),
          std::move(used),
          std::to_string(request.lanes()),
          fmt::format("{} B", request.width),
          name_of(request.buffer)};
}

std::string address(const std::optional<std::uint64_t>& byte) {
  return byte ? format_count(*byte) : "–";
}

float requests(Diagram& diagram, float y, const explain::WarpMemoryAccess& access) {
  Table table{.name = "requests",
              .titles = {"request", "sectors", "requested / transferred", "lanes", "width", "memory"}};
  const auto add = [&](const std::vector<MemoryRequest>& some) {
    for (const MemoryRequest& request : some) table.rows.push_back(row_of(request));
  };
  add(access.before);
  for (const explain::WarpRound& round : access.rounds) add(round.requests);
  add(access.after);
  return draw_table(diagram, {0.3f, y}, table);
}

float lanes(Diagram& diagram, float y, const explain::WarpRound& round) {
  Table table{.name = "lanes",
              .titles = {"lane", "cell", "writes", "above left", "above", "above right", "left", "itself",
                         "right", "below left", "below", "below right"}};
  for (std::size_t lane = 0; lane < round.lanes.size(); ++lane) {
    const explain::LaneWork& work = round.lanes[lane];
    std::vector<std::string> row{std::to_string(lane)};
    if (!work.thread) {
      row.push_back("no thread");
    } else if (!work.works()) {
      row.push_back("idle");
    } else {
      row.push_back(format_pair(work.thread->cell.x, work.thread->cell.y));
    }
    row.push_back(work.works() ? address(work.thread->address) : "–");
    for (const auto& byte : work.around) row.push_back(address(byte));
    table.rows.push_back(std::move(row));
  }
  return draw_table(diagram, {0.3f, y}, table);
}

std::string words_of(const explain::GlobalTraffic& traffic, const char* what) {
  return fmt::format("{}: {:.2f} sectors/request, {} of the transferred bytes were requested", what,
                     traffic.sectors_per_request(), format_percent(traffic.requested_fraction()));
}

}  // namespace

Diagram memory_access_diagram(const explain::WarpMemoryAccess& access,
                              const std::optional<explain::LaunchTraffic>& launch) {
  constexpr float kWidth = 60;
  Diagram diagram;
  float y = 0;
  const auto title = [&](const std::string& text) {
    diagram.text(
        {.at = {0, y}, .text = text, .paint = ColourRole::kAccent, .size = 1.15f, .face = FontFace::kBold});
    y += Diagram::kLine * 1.15f + 0.2f;
  };
  title(fmt::format("Warp {} of thread block {}: requests per step", access.number,
                    format_pair(access.thread_block.x, access.thread_block.y)));
  y = requests(diagram, y, access);
  const explain::WarpTraffic traffic = access.traffic();
  if (traffic.cells_read.requests > 0)
    y = draw_wrapped(diagram, {0, y}, kWidth, words_of(traffic.cells_read, "Reads"));
  y = draw_wrapped(diagram, {0, y}, kWidth, words_of(traffic.cells_written, "Writes"));
  if (launch) {
    const std::string of = launch->exact
                               ? "all warps of the launch"
                               : fmt::format("{} random warps of the launch", format_count(launch->warps));
    y = draw_wrapped(diagram, {0, y + 0.3f}, kWidth, fmt::format("Average over {}:", of), ColourRole::kMuted);
    if (launch->sum.cells_read.requests > 0) {
      y = draw_wrapped(diagram, {0, y}, kWidth, words_of(launch->sum.cells_read, "Reads"));
    }
    y = draw_wrapped(diagram, {0, y}, kWidth, words_of(launch->sum.cells_written, "Writes"));
  }
  y = draw_wrapped(diagram, {0, y + 0.3f}, kWidth,
                   "Computed analytically for the CUDA kernel. Excludes: loads of the tables of the map.",
                   ColourRole::kMuted);
  for (std::size_t round = 0; round < access.rounds.size(); ++round) {
    y += 0.6f;
    title(access.rounds.size() == 1
              ? "Lanes: byte offsets of written and neighbouring cells"
              : fmt::format("Lanes in tile {} of {}: byte offsets of written and neighbouring cells",
                            round + 1, access.rounds.size()));
    y = lanes(diagram, y, access.rounds[round]);
  }
  return diagram;
}

namespace {

using explain::ColourKey;

constexpr float kDeviceNames = 3.2f;      ///< width of the names left of the lanes
constexpr float kBetweenDevices = 0.25f;  ///< gap between devices
constexpr float kMinPiece = 0.08f;        ///< minimum width of an interval

const char* words_of_work(DeviceWork work) {
  return value_for<DeviceWork::kUnpack>(
      {"boundary cells, computed first", "halo exchange, including waiting for the others", "interior cells",
       "stores the boundary cells", "stores the received halo"},
      work);
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
  return fmt::format("{}: {}; without capture {}", words, format_time(times.milliseconds).c_str(),
                     format_time(times.plain_milliseconds).c_str());
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
  Legend legend(diagram, y, style.width);
  legend.entry(explain::data_colour({ColourKey::Kind::kNumber, 0, 0}), "interior");
  legend.entry(ColourRole::kText, "boundary");
  legend.entry(ColourRole::kAccent, "exchange");
  if (!style.brief) legend.entry(ColourRole::kRaised, "waiting for the others");
  y = legend.below();
  if (!style.brief)
    draw_wrapped(diagram, {0, y + 0.2f}, style.width, measurement_text(times), ColourRole::kMuted);
  diagram.add_table(std::move(table));
  return diagram;
}

}  // namespace loom::app::diagram
