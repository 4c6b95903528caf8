#pragma once

#include <array>
#include <functional>
#include <glm/vec2.hpp>
#include <glm/vec4.hpp>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/code/window/map_step_view.h"
#include "app/gui/layout.h"
#include "app/workspaces/life/code/coverage_image.h"
#include "app/workspaces/life/code/map_attempt.h"
#include "compute/map_code/stepper.h"
#include "render/colour_texture.h"

namespace loom::app {

/// Draws wrapped text.
void coloured(const glm::vec4& colour, std::string_view text);

/// What the threads of a custom map reach: pictures of the square and of the launch, counts, times and grade.
class MapResultsView {
 public:
  /// Takes an attempt that ran.
  void take(MapAttempt attempt);
  void clear();
  void clear_measured() { measured_.reset(); }
  /// The last attempt that ran.
  const std::optional<MapAttempt>& shown() const { return shown_; }
  /// Whether this code passed when it was last run by the user.
  bool has_passed(std::string_view code) const;

  /// The width that it wants of a room that it shares with the editor.
  static float wanted_width(glm::vec2 room);
  /// Draws into the current window, dimmed if it `is_old`: the newest code has no result. `linked`: the cell
  /// that the panes of the scene mark. `stepped`: marked in the pictures, which leave room for what
  /// `show_steps` draws in place of the counts; null: no warp is stepped.
  void show(glm::vec2 room, std::string_view code, bool is_old, const FractalConfig& scene,
            const std::optional<Coord64>& linked, const SteppedWarp* stepped,
            const std::function<void()>& show_steps);
  /// Call every frame, shown or not.
  void begin_frame() {
    is_pointed_at_ = false;
    clicked_thread_.reset();
  }
  /// The thread of the pictures that was clicked in this frame, or that returns the point that was.
  std::optional<std::uint64_t> clicked_thread() const { return clicked_thread_; }
  /// The first thread that returns the point; the search of the last one is remembered.
  std::optional<std::uint64_t> first_thread_of(const MapPoint& point);
  bool is_pointed_at() const { return is_pointed_at_; }
  /// The thread that the pictures mark.
  std::optional<std::uint64_t> hovered_thread() const { return hovered_thread_; }
  /// By line, from 1, of all warps, if they are to be shown; else empty.
  std::span<const LineCounts> lines() const {
    return shows_divergence_ && shown_ ? std::span(shown_->map.lines) : std::span<const LineCounts>();
  }
  /// The point of the square under the cursor, or of the thread under the cursor, of the scene's fractal.
  std::optional<Coord64> hovered() const { return is_pointed_at_ ? hovered_ : std::nullopt; }
  const std::map<std::string, Area, std::less<>>& areas() const { return areas_; }
  void add_state(nlohmann::ordered_json& json) const;

 private:
  static bool is_low(glm::vec2 room);
  /// For pictures that are `side` pixels wide on the screen.
  void draw_images(int side);
  void leave_pictures();  ///< the cursor points at none of them
  /// `heading`: of the picture of the square.
  void pictures(float side, const std::string& heading, const std::optional<Coord64>& linked,
                const SteppedWarp* stepped);
  void divergence_button();
  bool has_divergence() const { return shown_ && !shown_->map.warps.empty(); }
  /// Which thread reaches the marked point; empty if none is marked.
  std::string hovered_text() const;
  void counts();
  void times(std::string_view code);
  void grade(std::string_view code);

  std::optional<MapAttempt> shown_;
  std::optional<MapAttempt> measured_;  ///< the last that was run by the user and ran
  LaunchLayout layout_;
  CoverageColours colours_ = {};
  bool images_are_old_ = false;
  int image_side_ = 0;
  CoverageImage square_;
  CoverageImage launch_;
  render::ColourTexture square_texture_;
  render::ColourTexture launch_texture_;
  std::array<render::ColourTexture, kCoverageMarks> mark_textures_;
  std::optional<Coord64> hovered_;  ///< marked in the pictures
  std::optional<std::uint64_t>
      hovered_thread_;  ///< the first one that returns it, or the one under the cursor
  struct FoundThread {
    MapPoint point;
    std::optional<std::uint64_t> thread;
  };
  std::optional<FoundThread> found_;  ///< of the last search, which visits all threads
  bool is_pointed_at_ = false;        ///< the cursor is on a picture, not in another pane
  std::optional<std::uint64_t> clicked_thread_;
  bool shows_divergence_ = false;  ///< in place of the coverage
  std::map<std::string, Area, std::less<>> areas_;
};

}  // namespace loom::app
