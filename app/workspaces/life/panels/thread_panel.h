#pragma once

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <span>

#include "app/explain/diagram/diagram.h"
#include "app/explain/show_me.h"
#include "app/gui/input_queue.h"
#include "app/gui/layout.h"
#include "app/text/text.h"
#include "app/workspaces/life/picture/thread_path.h"
#include "app/workspaces/life/scene/life_settings.h"
#include "app/workspaces/life/scene/life_stats.h"
#include "app/workspaces/life/scene/thread_explanation.h"

namespace loom::app {

/// A field that pins what is typed into it.
struct PointFieldState {
  std::string text;
  std::string problem;  ///< why the text pins nothing
  Text now;             ///< what it shows when nothing is typed
  Area area = {};
};

/// State of the panel between frames.
struct ThreadPanelState {
  PointFieldState thread;
  PointFieldState cell;
};

/// What is known of the selected thread: its position, the steps of lambda for its tile, and the memory
/// accesses of its warp. A typed index selects a thread or a cell. Returns the square of the lambda level
/// under the cursor, to mark it in the picture.
std::optional<explain::CellRect> thread_panel(ThreadPanelState& state, LifeEdit& edit,
                                              const LifeStats& report, const ThreadExplanation& explanation,
                                              const ThreadPath& path);

/// Plays the animation of the maps (explain::ShowMe) in place of the scene. Changes nothing of the scene.
class ShowMePanel {
 public:
  /// Plays from the start. `from_start`: the workspace and start screen to which leaving it leads back.
  /// Throws InputError as explain::ShowMe does.
  void open(const NbbFractal& fractal, std::optional<std::size_t> from_start);
  void close() { show_me_.reset(); }
  bool is_open() const { return show_me_ != nullptr; }
  bool playing() const { return is_open() && playing_; }
  /// Space plays and pauses, arrow keys move by two seconds, Home and End go to the ends, Escape leaves.
  /// Returns whether the key was taken.
  bool press(const KeyPress& press, ShellEdit& shell);
  /// Its group of the toolbar, in place of those of the scene: says that it is shown, and goes to the scenes.
  static std::span<const float> toolbar_groups();
  void toolbar_group(ShellEdit& shell);
  /// `lecture`: for a projector, with less room around the page.
  void show(const Area& area, bool lecture, ShellEdit& shell);
  nlohmann::ordered_json state() const;

 private:
  void go_to(double seconds);
  void go_to_chapter(std::size_t chapter);
  void mark_chapters() const;
  void leave(ShellEdit& shell);

  std::unique_ptr<explain::ShowMe> show_me_;
  double seconds_ = 0;
  bool playing_ = false;
  std::optional<std::size_t> from_start_;
  double drawn_at_ = -1;  ///< seconds of `diagram_`
  float captions_ = 0;    ///< size of its captions in font sizes of the page; 0: it is not drawn yet
  diagram::Diagram diagram_;
  float em_ = 0;  ///< font size of the page
  Area slider_;
  Area next_;  ///< the button of the next scene
};

}  // namespace loom::app
