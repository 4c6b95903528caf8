#pragma once

#include <imgui.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <glm/fwd.hpp>
#include <glm/vec2.hpp>
#include <glm/vec4.hpp>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/explain/diagram/diagram.h"
#include "app/gui/layout.h"
#include "app/text/text.h"
#include "compute/engine/thread_count.h"

namespace loom::app {

/// Gives the next window the focus, and so its place in front, unless something outside of it is in use: a
/// click or a list there would end.
void keep_in_front();
/// Begins a window with a fixed area, without a frame and behind other windows; End() ends it. `more`:
/// additional flags.
void begin_fixed_window(const char* id, const Area& area, ImGuiWindowFlags more);

/// A fixed window for mouse input only, without scroll bars: captions, headers, the status line. It does not
/// close an open list.
void begin_bar(const char* id, const Area& area, ImGuiWindowFlags more = ImGuiWindowFlags_None);

/// Begins a caption at the lower edge of `area`, which keeps its height whatever its text is: room for
/// `longest` font sizes of text on up to three lines, or with `one_line` for one line. Returns the height; 0,
/// without a window, if the area is too small.
float begin_caption(const char* id, const Area& area, float longest, bool one_line);

/// Begins a modal dialog of `width` font sizes, or less if the window is narrower. `top`: position of its top
/// edge as a fraction of the window's height; it stays when the dialog grows. `begin` opens the dialog and is
/// reset. Returns false while the dialog is closed; otherwise call end_dialog().
bool begin_dialog(const char* title, bool& begin, float width, float top);
/// Whether Enter was pressed in this dialog and is used neither by a text field nor by a control with the
/// keyboard focus.
bool is_enter_available();
/// Ends the dialog. `areas`: areas of its items; cleared in the first frame, which determines its size.
void end_dialog(std::map<std::string, Area, std::less<>>& areas);

/// Smallest text of a diagram, as a fraction of the window's font size: smaller text cannot be read from the
/// back row.
inline constexpr float kMinTextSize = 0.72f;

/// Begins the window of a pane without cells; End() ends it. Use `scrolls` = false if the window is as large
/// as its content.
void begin_pane_window(const char* id, const Area& area, bool scrolls = true);

/// The width of the content of such a window beside its scroll bar, in whole font sizes: diagrams that fill
/// it are drawn anew less often while a window is dragged.
float content_width_in_fonts(const Area& area);

/// The font size at which the diagram fits the width of the current window, from `smallest` to 1 times the
/// window's.
float font_size_for(const diagram::Diagram& diagram, float smallest = kMinTextSize);

/// Draws a diagram at the cursor at this font size. Returns the hot spot under the mouse, or null.
const diagram::Hotspot* draw_at_cursor(const diagram::Diagram& diagram, float size);

/// The screen area of a part of a diagram whose corner is at `corner`.
Area area_of(const diagram::Box& box, glm::vec2 corner, float size);

/// Draws a diagram at the cursor at the font size that fits the width, between `smallest` and 1 times the
/// window's, and the tooltip of the hot spot under the mouse. Returns that hot spot, or null.
const diagram::Hotspot* show_diagram(const diagram::Diagram& diagram, float smallest = kMinTextSize);

/// The areas of a pane: its header, its picture and, below, its score in comparison with the other panes.
struct PaneArea {
  Area header;
  Area picture;
  Area score;  ///< empty without a comparison
};

/// Whether there is room for the scores below the panes; otherwise they are a section of the dock.
inline bool has_score_room(const std::vector<PaneArea>& areas) {
  return areas.size() > 1 && !areas.front().score.empty();
}

/// Height of the line below the scores that says which one is the best, in font sizes.
inline constexpr float kVerdictHeight = 1.5f;

/// Arranges panes in rows and columns so that the pictures are as large as possible. A single pane has
/// neither header nor score. `scores`: height of the scores in font sizes; below them kVerdictHeight stays
/// free. `last`: the width that the last pane wants, in font sizes, if all are in one row; it gets at least
/// as much as the others.
void layout_panes(const Area& area, std::size_t count, float font_size, float scores,
                  std::vector<PaneArea>& areas, float last = 0);

/// Begins the window of a pane's header; End() ends it. `accent`: colour of the line at its top.
void begin_pane_header(const char* id, const Area& area, const std::optional<glm::vec4>& accent);

/// A time is better than another if it is shorter by this fraction: less is noise.
inline constexpr double kTimeNoise = 0.03;
inline constexpr double kLiveNoise = 0.1;  ///< of times that vary with what else the window does
inline constexpr std::size_t kMaxScores = 4;

/// The values of the panes in one row of a scoreboard, the lowest of which is the best.
class ScoreValues {
 public:
  void add(const std::optional<double>& value) {
    if (count_ < values_.size()) values_[count_++] = value;
  }
  std::size_t size() const { return count_; }
  const std::optional<double>& operator[](std::size_t index) const { return values_[index]; }
  /// Whether this value is lower than all others by the fraction `margin`. False while another is unknown.
  bool is_lowest(std::size_t index, double margin = 0) const;
  /// Length of the value's bar relative to the longest, from 0 to 1.
  double share(std::size_t index) const;

 private:
  std::array<std::optional<double>, kMaxScores> values_;
  std::size_t count_ = 0;
};

/// One row of a scoreboard: a bar with the value at its left end and, if there is room, a remark at the
/// right.
struct ScoreBar {
  const char* label = "";
  double share = 0;  ///< length of the bar, from 0 to 1
  double dark = 0;   ///< fraction of the bar that is drawn darker
  ImU32 colour = 0;
  Text value = {};
  Text remark = {};
  bool is_best = false;
};
void score_bar(const ScoreBar& bar);

/// "✓ 3.2× speedup" or "1.5× slower": the ratio of the times, at least 1, if both are known and differ; "✓
/// best" without a ratio, and "too small to compare" where that is so.
Text time_remark(const std::optional<double>& own, const std::optional<double>& base, bool is_best);
/// Whether this time in milliseconds is the best of all, by more than `noise`, and long enough to be
/// compared.
bool is_fastest(const ScoreValues& times, std::size_t index, const std::optional<double>& own,
                double noise = kTimeNoise);
/// Which time in milliseconds is the shortest and by how much: "λ is fastest here: 6.34× faster than bounding
/// box, 1.20× than compact", or "No clear winner: λ and compact differ by less than 3 %". `is_rough`: the
/// times vary with what else the window does. Empty while a time is unknown.
Text verdict_of(const ScoreValues& times, std::span<const std::string_view> names, bool is_rough);
/// Draws the verdict below the panes; `unknown` while it is empty. Without room there, in the current window.
void draw_verdict(const std::vector<PaneArea>& areas, const Text& verdict, const char* unknown,
                  std::string_view meaning);
/// The accent of a pane, dark enough for text on it.
ImU32 score_colour(const glm::vec4& accent);

/// Height of a scoreboard with this number of rows, in font sizes.
float score_height(int rows);
/// Begins the window of a scoreboard; End() ends it.
void begin_score(const char* id, const Area& area);

/// What a scoreboard compares of a map.
struct MapScoreValues {
  glm::vec4 accent = {};
  std::optional<double> step_ms = {};
  bool is_live = false;   ///< the time varies with what else the window does
  bool is_early = false;  ///< of the first few generations, which are slower: no ratio is formed
  std::optional<ThreadCount> threads = {};
  std::optional<std::uint64_t> bytes = {};
};
inline constexpr int kMapScoreRows = 3;

/// Draws time per generation, threads and memory of `all[own]` as bars, with one scale for all and ratios to
/// `box`, which may be null. A live time is rounded and names no winner. `time_meaning`: tooltip of the time.
void map_score_rows(std::span<const MapScoreValues> all, std::size_t own, const MapScoreValues* box,
                    const char* time_meaning);

}  // namespace loom::app
