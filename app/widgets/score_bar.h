#pragma once

#include <imgui.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <glm/fwd.hpp>
#include <glm/vec4.hpp>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "app/gui/layout.h"
#include "app/text/text.h"
#include "app/widgets/windows.h"
#include "compute/engine/thread_count.h"

namespace loom::app {

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
