#pragma once

#include <functional>
#include <glm/vec2.hpp>
#include <nlohmann/json_fwd.hpp>
#include <optional>

#include "app/gui/layout.h"

namespace loom::app {

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
  nlohmann::ordered_json state() const;

 private:
  /// `marked`: it stands for the chips, for which there is no room.
  void button(glm::vec2 corner, glm::vec2 size, bool folded, bool marked);

  std::optional<bool> chosen_;  ///< folded or not, by the user; otherwise it is folded in small pictures
  glm::vec2 size_{0};           ///< of the chips, as of the last frame that drew them
  bool folded_ = false;         ///< in this frame
  Area area_ = {};              ///< of the chips; empty without them; for tests, as the next member
  Area button_ = {};
};

}  // namespace loom::app
