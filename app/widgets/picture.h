#pragma once

#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <glm/vec2.hpp>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string_view>

#include "app/gui/imgui_compat.h"
#include "app/gui/layout.h"
#include "compute/core/coord.h"
#include "render/colour_texture.h"

namespace loom::app {

/// The unit that is `steps` steps of `step` from another one, within 0 .. end - 1 on each axis.
Coord64 moved_within(Coord64 from, glm::ivec2 steps, Coord64 step, Coord64 end);

/// A cursor in a picture for the keyboard, at a unit of the picture: a cell or a pixel. It is where the mouse
/// is until keys move it, and again when the mouse moves.
class PictureCursor {
 public:
  /// Begins a frame. `under_mouse`: the unit under the mouse, if it is over the picture. `start`: where the
  /// cursor is if the mouse was never there.
  void begin(const std::optional<Coord64>& under_mouse, Coord64 start);
  /// Moves it by keys.
  void move_to(Coord64 unit);
  /// The cursor is off.
  void hide() { by_keys_ = false; }

  const std::optional<Coord64>& unit() const { return unit_; }
  /// The unit, if the keys and not the mouse determine it.
  std::optional<Coord64> shown() const { return by_keys_ ? unit_ : std::nullopt; }

 private:
  std::optional<Coord64> unit_;
  bool by_keys_ = false;
};

/// Draws the cursor around a unit whose middle and side are given in ImGui units. `light`: the background of
/// the picture is light.
void draw_picture_cursor(ImDrawList& list, glm::vec2 middle, float side, bool light);

/// Draws a line of text in the middle of an empty picture.
void picture_hint(ImDrawList& list, const Area& picture, std::string_view text);

/// The weight of what a picture shows at a point of the window: 0 where it shows no content.
using PictureWeight = std::function<float(glm::vec2)>;

/// The box of `size` in the corner of `picture` where it covers the least content; of equal corners the lower
/// left one, then lower right, upper right, upper left.
Area least_covered_corner(const Area& picture, glm::vec2 size, float margin, const PictureWeight& weight);

/// A legend of chips over a picture, one per line, with a button that folds it. Only the button takes the
/// mouse.
class PictureLegend {
 public:
  /// Begins the legend; end() ends it. Returns false if it is folded or the picture is too small; then draw
  /// no chip and do not call end().
  bool begin(const Area& picture, const PictureWeight& weight);
  void end();
  const Area& area() const { return area_; }
  nlohmann::ordered_json state() const;

 private:
  /// `marked`: it stands for the chips, for which there is no room.
  void button(glm::vec2 corner, glm::vec2 size, bool folded, bool marked);

  std::optional<bool> chosen_;  ///< folded or not, by the user; otherwise it is folded in small pictures
  glm::vec2 size_{0};           ///< of the chips, as of the last frame that drew them
  bool folded_ = false;         ///< in this frame
  Area area_ = {};              ///< of the chips; empty without them
  Area button_ = {};
};

/// Draws the rectangle of a drag from `start` to the cursor.
void draw_rubber_band(ImDrawList& list, glm::vec2 start);

/// Zooms while a mouse button is held with Ctrl: the left one in, the right one out.
class HoldToZoom {
 public:
  /// Whether Ctrl and a mouse button were pressed in this frame; `button` receives the button. Call over a
  /// picture.
  static bool begins(int& button) {
    if (!ImGui::GetIO().KeyCtrl) return false;
    for (const int one : {ImGuiMouseButton_Left, ImGuiMouseButton_Right}) {
      if (!ImGui::IsMouseClicked(one)) continue;
      button = one;
      return true;
    }
    return false;
  }
  /// Magnification of one frame: a factor of 3 per second at any frame rate.
  static double factor(int button) {
    constexpr double kRate = 3;
    constexpr double kLongestFrame = 0.1;  // no jump after a pause
    const double seconds = std::min(static_cast<double>(ImGui::GetIO().DeltaTime), kLongestFrame);
    return std::pow(kRate, button == ImGuiMouseButton_Left ? seconds : -seconds);
  }
};

/// Zooms by the wheel of the mouse: 1.5 times a notch, up to its square for notches in quick succession, and
/// smoothly in between.
class WheelZoom {
 public:
  struct Frame {
    double factor;   ///< magnification of this frame
    double in_all;   ///< since the zoom began, exactly a power of 1.5 at the end of a single notch
    glm::vec2 at{};  ///< the position of the mouse at the last notch, in ImGui units
    bool begins;     ///< a zoom about another position, or after a pause
  };
  /// Once in each frame; nothing where the zoom is over. `over`: whether the mouse is over the picture.
  std::optional<Frame> advance(bool over);
  /// Ends it where it is, as another change of the view does.
  void cancel() { shown_ = target_; }
  bool active() const { return shown_ != target_; }

 private:
  double target_ = 0;  ///< notches since the zoom began, where it goes
  double shown_ = 0;   ///< where it is
  double last_ = 0;    ///< notches of the last frame that had some
  double last_notch_ = -1e9;
  double run_ = 0;  ///< notches in quick succession, at most those after which one counts twice
  glm::vec2 at_{0};
};

/// Draws a whole texture over an area; nothing if it has no pixels yet.
inline void draw_texture(ImDrawList& list, const render::ColourTexture& texture, const Area& area,
                         std::uint8_t alpha = 255) {
  if (texture.gl_name() == 0 || area.empty()) return;
  list.AddImage(imgui_compat::texture_id(texture.gl_name()), area.corner, area.end(), {0, 0}, {1, 1},
                IM_COL32(255, 255, 255, alpha));
}

}  // namespace loom::app
