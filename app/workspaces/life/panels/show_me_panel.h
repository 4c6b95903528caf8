#pragma once

#include <memory>
#include <nlohmann/json_fwd.hpp>

#include "app/explain/diagram/diagram.h"
#include "app/explain/show_me.h"
#include "app/gui/input_queue.h"
#include "app/gui/layout.h"

namespace loom::app {

/// Plays the animation of the maps (explain::ShowMe) in place of the scene. Changes nothing of the scene.
class ShowMePanel {
 public:
  /// Plays from the start. Throws InputError as explain::ShowMe does.
  void open(const NbbFractal& fractal);
  void close() { show_me_.reset(); }
  bool is_open() const { return show_me_ != nullptr; }
  bool playing() const { return is_open() && playing_; }
  /// Space plays and pauses, arrow keys move by two seconds, Home and End go to the ends, Escape leaves.
  /// Returns whether the key was taken.
  bool press(const KeyPress& press);
  void show(const Area& area);
  nlohmann::ordered_json state() const;

 private:
  void go_to(double seconds);
  void mark_chapters() const;

  std::unique_ptr<explain::ShowMe> show_me_;
  double seconds_ = 0;
  bool playing_ = false;
  double drawn_at_ = -1;  ///< seconds of `diagram_`
  diagram::Diagram diagram_;
  Area slider_;
};

}  // namespace loom::app
