#pragma once

#include <glm/vec2.hpp>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <vector>

#include "app/gui/layout.h"
#include "app/shell/workspace.h"
#include "app/text/text.h"

namespace loom::app {

/// What a lecturer draws over the picture: strokes of a pen, and a spotlight under the cursor.
class Annotations {
 public:
  /// Takes the pen up, or puts it down; the strokes stay.
  void toggle_pen() { pen_ = !pen_; }
  bool pen() const { return pen_; }
  /// Shows the spotlight while its key is held. Without the key, as from a menu, switches it on or off.
  void spotlight();
  bool can_undo() const { return pen_ && !strokes_.empty(); }
  /// Removes the last stroke while the pen is in use; returns whether there was one.
  bool undo();
  /// Removes all strokes and the spotlight and puts the pen down; returns whether there was any of them.
  bool erase();
  /// Takes the mouse if the pen is in use, and draws over the picture.
  void draw(const Area& picture);
  void add_state(nlohmann::ordered_json& json) const;

 private:
  using Stroke = std::vector<glm::vec2>;  ///< in fractions of the picture
  void take_mouse(const Area& picture);
  void draw_strokes(const Area& picture) const;
  void draw_spotlight(const Area& picture) const;

  bool pen_ = false;
  bool drawing_ = false;  ///< the button is down
  bool spotlight_ = false;
  bool spotlight_held_ = false;  ///< until the key is released
  std::vector<Stroke> strokes_;
};

/// The active backend: "CUDA: NVIDIA H200", "CPU: no NVIDIA GPU", "CPU: selected".
Text words_of(const BackendSelection& backend, const CudaStatus& cuda);

/// The status line: backend and display path with details in tooltips, background work with a Cancel button,
/// frames per second (nothing when idle), and links to lessons and keys.
void status_line(const Area& area, ShellEdit& edit, const WorkspaceStatus& status, const CudaStatus& cuda,
                 std::optional<double> frames_per_second);

}  // namespace loom::app
