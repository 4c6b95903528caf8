#pragma once

#include <imgui.h>

#include <cstddef>
#include <cstdint>
#include <glm/vec2.hpp>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/gui/layout.h"
#include "app/tasks/task.h"
#include "app/text/text.h"
#include "app/widgets/picture.h"
#include "app/workspaces/mandelbrot/scene/complex_view.h"
#include "app/workspaces/mandelbrot/scene/dwell_runner.h"
#include "app/workspaces/mandelbrot/scene/mandelbrot_settings.h"
#include "app/workspaces/mandelbrot/scene/mandelbrot_stats.h"
#include "compute/device/device.h"
#include "compute/engine/mandelbrot_engine.h"
#include "compute/mandelbrot/mandelbrot_report.h"
#include "render/camera.h"
#include "render/colour_texture.h"
#include "render/renderers.h"

namespace loom::app {

/// A rectangle of one colour, in pixels of the picture.
struct PictureMark {
  render::Rect<int> rect;
  ImU32 colour = 0;

  friend bool operator==(const PictureMark&, const PictureMark&) = default;
};

/// How regions are drawn.
struct RegionStyle {
  RegionOverlay overlay = RegionOverlay::kLevels;  ///< kLevels or kQuantities
  std::optional<int> up_to = {};  ///< later levels are left out, and split regions of this level are covered
  std::optional<int> only = {};   ///< only this level
  float scale = 1;                ///< framebuffer pixels per ImGui unit, which scales line widths

  friend bool operator==(const RegionStyle&, const RegionStyle&) = default;
};

/// Largest number of drawn regions. Levels are drawn completely or not at all, because half a level would
/// look like an empty area. A software OpenGL driver keeps about 200 bytes per triangle of the largest frame
/// while the window is open: 40 MiB for this number, 10 MiB for parts of a plane.
inline constexpr std::size_t kMaxRegions = 20000;

/// Number of drawn regions of a list ordered by level: all of them, or those of the first levels.
std::size_t drawn_regions(std::span<const MandelbrotRegion> regions);

/// The last drawn level if there are too many regions for all requested levels, -1 if even the first has too
/// many; empty if all are drawn.
std::optional<int> last_level_drawn(std::span<const MandelbrotRegion> regions,
                                    std::optional<int> shown_level);

/// Why a single level with regions is not drawn; empty if it is.
Text unmarked_reason(std::span<const MandelbrotRegion> regions, int level);

/// Creates the marks of regions that are listed by level: for each level fills, then lines along the inner
/// side of the region edges, twice as thick at level 0. Regions of one level do not overlap, and adjacent
/// equal marks are merged, so a grid of n x n regions needs about n x n rectangles instead of four times as
/// many. Pictures have fewer than 2^15 pixels per axis. A single level with more than kMaxRegions has no
/// marks.
void make_region_marks(std::vector<PictureMark>& marks, std::span<const MandelbrotRegion> regions,
                       const RegionStyle& style);

/// Cached marks, rebuilt when regions or style change.
class RegionMarkCache {
 public:
  /// `number` changes whenever the regions change.
  void request(std::span<const MandelbrotRegion> regions, std::uint64_t number, const RegionStyle& style);
  std::span<const PictureMark> marks() const { return marks_; }
  /// Drops the marks.
  void forget();

 private:
  std::vector<PictureMark> marks_;
  std::optional<std::uint64_t> number_;
  RegionStyle style_;
};

/// The colour of a level, and of a kind of region.
ImU32 colour_of_level(int level);
ImU32 colour_of(RegionKind kind);
/// "filled", "leaf", "split".
const char* name_of(RegionKind kind);

/// The colour of a device.
ImU32 colour_of_device(std::size_t device);

/// Tints the rows by the device that computed them. The picture begins at the corner of `area`; `scale` is
/// rows per unit.
void draw_devices(ImDrawList& list, const Area& area, float scale, std::span<const DwellPartition> parts);

/// Up to this number of differing pixels, each has a ring; more rings would hide each other and the picture.
inline constexpr std::size_t kMaxRings = 500;
/// Squares per axis; above kMaxRings, squares with differing pixels are tinted.
inline constexpr int kSquares = 128;

/// Marks the pixels that differ from the exhaustive method, over a picture that covers `area` with `scale`
/// pixels per unit: with rings, or above kMaxRings with squares that are no smaller than a ring.
void draw_differences(ImDrawList& list, const Area& area, float scale, const DwellDifferences& differences);

/// Uploads divergence as colours, pixel by pixel; transparent where nothing is computed.
void upload_divergence(const DivergenceCounts& counts, render::ColourTexture& texture);

/// Draws it over a picture that begins at the corner of `area` and has `scale` pixels per unit.
void draw_divergence(ImDrawList& list, const Area& area, float scale, const DivergenceCounts& counts,
                     const render::ColourTexture& texture);

/// Draws the marks inside the clip rectangle of the list. The picture begins at the corner of `area` and has
/// `scale` pixels per unit.
void draw_marks(ImDrawList& list, const Area& area, float scale, std::span<const PictureMark> marks);

/// Draws an orbit: its start, the following points, and the lines between them.
void draw_orbit(ImDrawList& list, const Area& area, float scale, const ComplexView& view, glm::ivec2 picture,
                const EscapeTimeSet& set, glm::dvec2 point, std::uint32_t limit);

/// Draws a line of text over the top of the picture; nothing if it is empty.
void draw_text_line(ImDrawList& list, const Area& area, std::string_view words);

/// A ring around a point.
void draw_point_ring(ImDrawList& list, glm::vec2 at);

/// Draws frame and label of the inset that shows the Julia set of a point; or, if `ring` is a place in it,
/// the parameter plane with the point. `pinned`: the inset does not follow the cursor.
void draw_julia_frame(ImDrawList& list, const Area& area, const JuliaPoint& point,
                      std::optional<glm::vec2> ring, bool pinned);

/// Mouse gestures over the picture: wheel, pan, turn, box zoom, zoom while held, side buttons. Holds the
/// state of the current gesture.
class MandelbrotMouse {
 public:
  /// The next drag with the left button draws a zoom box.
  void arm_box_zoom() { box_armed_ = true; }
  void cancel() { box_armed_ = false; }

  enum class Gesture { kNone, kPan, kTurn, kBox, kZoom, kInset };
  Gesture gesture() const { return gesture_; }
  /// Whether a turn of the wheel still moves the view.
  bool is_zooming() const { return wheel_.active(); }

  /// Reads ImGui's mouse state and changes the view. `scale` is framebuffer pixels per ImGui unit; `inset` is
  /// a part of the picture that shows something else. Returns whether it zooms in, as far as the view can.
  bool update(const Area& area, float scale, glm::ivec2 picture, const render::Rect<int>& inset,
              Precision precision, ViewHistory& history);
  /// The cursor position in pixels of the picture; empty if it is not over the picture or over the inset.
  const std::optional<glm::dvec2>& pixel() const { return pixel_; }
  /// The button of a click on the picture in this frame: pressed and let go at one place.
  const std::optional<int>& clicked() const { return clicked_; }
  /// Whether the inset was clicked in this frame.
  bool inset_clicked() const { return inset_clicked_; }
  /// The position in pixels of the picture of a drag that began in the inset.
  const std::optional<glm::dvec2>& inset_drag() const { return inset_drag_; }
  /// Draws the rubber band of a box zoom.
  void draw(ImDrawList& list) const;

 private:
  void begin(bool over_inset);
  bool is_at_start() const;

  Gesture gesture_ = Gesture::kNone;
  int button_ = 0;
  bool box_armed_ = false;
  bool moved_ = false;  ///< the current pan, turn or zoom changed the view
  WheelZoom wheel_;
  ComplexView wheel_from_;              ///< the view at the beginning of the wheel's zoom
  std::size_t wheel_views_behind_ = 0;  ///< ViewHistory::views_behind() after its last frame
  double last_wheel_ = -1e9;            ///< time of that frame, in ImGui's seconds
  glm::vec2 start_{};                   ///< corner of the box on the screen
  std::optional<glm::dvec2> pixel_;
  std::optional<int> clicked_;
  bool inset_clicked_ = false;
  std::optional<glm::dvec2> inset_drag_;
};

/// A whole set as a small picture, the Julia set of a point or its parameter plane, computed by the current
/// backend on its own engine and thread. It lags behind the point by one or two frames.
class JuliaInset {
 public:
  static constexpr std::uint32_t kLimit = 128;

  JuliaInset();
  /// Its area in the bottom-left corner of a picture of this size; empty if there is no room.
  static render::Rect<int> place_in(glm::ivec2 picture, float font_pixels);
  /// Starts a computation if set or size changed, and takes a finished one; waits for it if `waits`. If it
  /// fails, the previous picture stays. Throws DeviceFault.
  void update(const EscapeTimeSet& set, glm::ivec2 size, const BackendSelection& backend, bool waits);
  /// Its view in a picture of this size.
  static ComplexView view_of(const EscapeTimeSet& set, glm::ivec2 size) { return default_view(size, set); }
  /// Takes the reason for a failure, once.
  std::string take_problem() { return std::exchange(problem_, {}); }
  void draw(glm::ivec2 framebuffer, const render::Rect<int>& target, const render::Palette& palette);

 private:
  bool take(TaskTimeout timeout);
  std::optional<EscapeTimeSet> set_;
  glm::ivec2 size_{0};
  BackendSelection backend_;                  ///< of the engine
  std::unique_ptr<MandelbrotEngine> engine_;  ///< used by the task while it runs
  std::optional<render::Palette> palette_;    ///< palette of the current colours
  render::DisplayTexture texture_;
  render::DwellRenderer renderer_;
  std::string problem_;
  Task<std::vector<std::uint16_t>> task_;  ///< last member: must end before the members it uses
};

}  // namespace loom::app
