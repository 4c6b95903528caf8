#pragma once

#include <cstdint>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <optional>
#include <string>
#include <vector>

#include "app/explain/colour_by.h"
#include "app/explain/diagram/diagram.h"
#include "app/explain/map_metrics.h"
#include "app/explain/map_steps.h"
#include "app/explain/show_me.h"
#include "app/explain/space_layout.h"
#include "app/explain/thread_space.h"
#include "app/explain/timeline_lanes.h"
#include "app/explain/warp_memory_access.h"
#include "compute/engine/timeline.h"

namespace loom::app::diagram {

/// A column of the metrics.
struct MetricColumn {
  std::string title;
  glm::u8vec3 colour{};
};

/// A row per metric with a bar per map; the bars of a row have one scale. Each row says whether it is
/// computed or measured, and has its explanation as a hotspot. The bars fill `width` font sizes, but have at
/// least the length of their texts.
Diagram map_metrics_diagram(const std::vector<explain::MetricRow>& rows,
                            const std::vector<MetricColumn>& columns, float width = 0);

/// A text in a monospaced face, line by line.
Diagram source_diagram(const std::string& text);

/// The result of a map at one level of a race.
struct RaceResult {
  std::optional<double> ms = {};  ///< per generation, measured
  std::uint64_t bytes = 0;        ///< allocated for cells
  std::string out = {};           ///< why the map is out of the race at this level: "out of memory"
};
/// All maps at one level; a map that is out or not measured yet is empty.
struct RaceLevel {
  int level = 0;
  std::vector<std::optional<RaceResult>> maps;
  /// The index of the map with the shortest step; empty until all maps in the race were measured,
  /// with a single map, and where the shortest times are shown as equal.
  std::optional<std::size_t> winner() const;
};

/// Bars of step time and memory per level and map, the highest level first, all with one scale, so that they
/// grow with the level. The winner of each level has a check mark. The bars fill `width` font sizes, but have
/// at least the length of their texts.
Diagram race_diagram(const std::vector<RaceLevel>& levels, const std::vector<MetricColumn>& columns,
                     float width = 0);

/// The size of every frame of "Show me", in font sizes: 16 : 9.
inline constexpr glm::vec2 kShowMeSize{64, 36};
/// Where the drawing begins, below the title, its height, and the heights of the title and of two lines of
/// the sentence below it.
inline constexpr float kShowMeTop = 4.2f;
inline constexpr float kShowMeDrawing = 27.5f;
inline constexpr float kShowMeTitle = 3;
inline constexpr float kShowMeSentence = 3.4f;

/// The frame at this time: a title, the drawing, and one sentence. `with_time`: also a bar of the time with
/// the beginning of each chapter, for a video; the window has a slider. `captions`: the size of the title and
/// of the sentence; from 1 on, the title begins so much higher.
Diagram show_me_diagram(const explain::ShowMe& show_me, double seconds, bool with_time, float captions = 1);

/// A line of the program's source, and the value of its variable after the line was executed.
struct SourceLine {
  std::string text;
  std::string value;  ///< "β = 2"; may be empty
};
/// The text of a function in its source file, embedded at build time.
struct SourceListing {
  std::string file;
  std::vector<SourceLine> lines;
};

/// The function that computes lambda (nu) with the current arithmetic. The CPU backend runs the same
/// function, except for arithmetics that use a whole warp. With loop and table, the values are those of level
/// or look-up `row`, counted from 0; if negative, those of the last. Throw InputError as lambda_steps() and
/// nu_steps() do. For the bounding box, lambda_source() returns the identity.
SourceListing lambda_source(const explain::ThreadSpace& threads, Coord64 omega, int row);
/// With tensor arithmetics, the values are those of the last level and the result. nu of a tile is a column
/// of the product that maps all eight neighbours of `centre`, so it has values only if `centre` is given.
SourceListing nu_source(const explain::ThreadSpace& threads, Coord64 place, int row,
                        const std::optional<Coord64>& centre = {});

/// The source of the kernel that computes a generation of life with this method: the kernel, the work of its
/// thread blocks, and the map, each with the name of its file.
std::string kernel_source(const explain::ThreadSpace& threads);

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

/// How the map computes a tile position, number by number, in the selected arithmetic: rows for loop and
/// table, lanes and rounds for shuffle, matrices for tensor arithmetics; for the compact map also nu of one
/// neighbour; then the products that count neighbours.
struct StepsOptions {
  Coord64 tile;       ///< tile in the grid of the map
  int neighbour = 4;  ///< 0 to 7, in the order of TileNeighbours without the tile itself
  float width = 40;   ///< target width in font sizes; tables may be wider
  int marked = -1;    ///< tag of the row to mark; -1 for none
  /// Of the rule whose neighbours are counted on tensor cores; 0: they are not.
  std::uint32_t counted_radius = 0;
};
struct StepsDiagram {
  Diagram diagram;
  /// The square that a row of the diagram describes, by tag; empty if there is none.
  std::vector<std::optional<explain::CellRect>> squares;
};
/// Throws InputError for a tile outside the grid.
StepsDiagram steps_diagram(const explain::ThreadSpace& threads, const StepsOptions& options);

/// The name of a neighbour: "upper left" and so on, y down.
std::string neighbour_name(int neighbour);
/// The offset of a neighbour in tiles, y down.
glm::ivec2 neighbour_offset(int neighbour);

/// The meaning of a span's colour.
enum class SpanColour {
  kWork,   ///< kind of work; its wave if all spans have the same kind
  kLevel,  ///< its level of the subdivision
};

/// A timeline as lanes, one per multiprocessor (on the CPU one per thread), with the slots of a lane one
/// below another and time to the right. If there are several grids, their nesting follows on the same axis,
/// coloured by level; then the legend and the statistics. Spans too narrow to be visible are joined with
/// neighbours of the same colour.
struct TimelineStyle {
  float width = 60;     ///< width of the lanes, in font sizes
  float height = 20;    ///< height of all lanes
  float least = 0.05f;  ///< minimum width of a span that is drawn separately
  float nested = 14;    ///< maximum height of the grids below
  SpanColour colour = SpanColour::kWork;
  friend bool operator==(const TimelineStyle&, const TimelineStyle&) = default;
};
Diagram timeline_diagram(const Timeline& timeline, const TimelineStyle& style);

/// The diagram, and its lanes for queries by position.
struct TimelineDrawing {
  Diagram diagram;
  Box lanes;  ///< empty if nothing ran
  std::uint64_t duration = 0;
  std::vector<explain::Lane> lane;

  /// The recorded span at a position of the diagram, with some tolerance for narrow spans; empty elsewhere.
  std::optional<std::uint32_t> span_at(const Timeline& timeline, glm::vec2 place) const;
};
TimelineDrawing timeline_drawing(const Timeline& timeline, const TimelineStyle& style);

}  // namespace loom::app::diagram
