#pragma once

#include <array>
#include <functional>
#include <optional>
#include <vector>

#include "app/explain/memory.h"
#include "app/gui/layout.h"
#include "app/text/text.h"
#include "app/widgets/score_bar.h"
#include "app/workspaces/life/panes/secondary_panes.h"
#include "app/workspaces/life/scene/life_settings.h"
#include "app/workspaces/life/scene/life_stats.h"
#include "render/colour_texture.h"

namespace loom::app {

/// The scores of the panes of a comparison, in two or three dimensions.
class ScoreList {
 public:
  /// Draws what follows the score of a pane.
  using Below = std::function<void(std::size_t pane)>;
  /// Whether there is room for the scores below the panes; otherwise they are a section of the dock.
  static bool has_room(const std::vector<PaneArea>& areas) {
    return areas.size() > 1 && !areas.front().score.empty();
  }
  /// `pane`: the index of its area. The accent is that of the map.
  void add(std::size_t pane, MapKind map, const MapScoreValues& values);
  std::size_t size() const { return count_; }
  MapScoreValues& values(std::size_t index) { return values_[index]; }
  /// verdict_of() the times; maps are its names, or panes where several have the same map.
  Text verdict() const;
  /// Draws time per generation, threads and memory as bars, with one scale for all panes, and their ratios to
  /// the bounding box: below each pane, or one after another without room there; and the verdict.
  /// `live_meaning`: tooltip of live times.
  void draw(const std::vector<PaneArea>& areas, const char* live_meaning, const Below& below) const;

 private:
  std::array<std::size_t, kMaxScores> panes_{};
  std::array<MapKind, kMaxScores> maps_{};
  std::array<MapScoreValues, kMaxScores> values_;
  std::size_t count_ = 0;
};

/// Height of a memory strip in font sizes.
inline constexpr float kStripHeight = 2.55f;

/// One generation in memory as a strip for each pane of a comparison, all to one scale, with the byte of the
/// selected cell.
class MemoryStrips {
 public:
  /// Begins a frame: the panes' configurations follow in order. `cell`: the selected cell, or the one under
  /// the cursor.
  void begin_frame(const std::optional<Coord64>& cell);
  /// `allocated`: bytes of the pane's engine.
  void add(std::size_t pane, const FractalConfig& config, std::uint64_t allocated);
  /// Draws the strip of a pane in the current window.
  void draw(std::size_t pane);
  /// The cell whose byte is under the cursor.
  const std::optional<Coord64>& hovered() const { return hovered_; }

  /// What is drawn for a pane.
  struct Drawn {
    Area area;                      ///< the bytes of the pane
    std::optional<float> marked_x;  ///< the byte of the selected cell
    std::optional<explain::MemoryStrip::Place> place;
  };
  const explain::MemoryStrip* strip(std::size_t pane) const {
    return panes_[pane].shown ? &*panes_[pane].strip : nullptr;
  }
  const Drawn& drawn(std::size_t pane) const { return panes_[pane].drawn; }

 private:
  struct PaneStrip {
    std::optional<explain::MemoryStrip> strip;
    render::ColourTexture columns;  ///< of the strip: one rectangle, where one for each column takes long
    bool shown = false;
    std::uint64_t allocated = 0;
    Drawn drawn;
  };
  double most_bytes() const;
  std::array<PaneStrip, kMaxPanes> panes_;
  std::optional<Coord64> cell_;
  std::optional<Coord64> hovered_;
};

/// The verdict on the panes of cells; empty without a comparison.
Text scoreboard_verdict(const LifeStats& stats, const SecondaryPanes& panes);

/// Height of a score with its memory strip in font sizes; 0 if there is nothing to compare.
float scoreboard_height(const SecondaryPanes& panes);
/// Below each pane of cells: its score, and its memory strip, which marks the byte of `cell`.
void scoreboard(const LifeStats& stats, const SecondaryPanes& panes, const std::vector<PaneArea>& areas,
                MemoryStrips& strips, const std::optional<Coord64>& cell);

/// Whether there are scores, but no room for them below the panes; then they are a section of the dock.
bool needs_scoreboard_section(const SecondaryPanes& panes, const std::vector<PaneArea>& areas);
void scoreboard_section(const LifeStats& stats, const SecondaryPanes& panes, MemoryStrips& strips,
                        const std::optional<Coord64>& cell);

}  // namespace loom::app
