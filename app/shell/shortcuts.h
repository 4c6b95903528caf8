#pragma once

#include <functional>
#include <vector>

#include "app/shell/edit.h"
#include "app/shell/key_queue.h"

namespace loom::app {

/// One key and what it does: the help panel lists the same table that the keyboard obeys.
struct Shortcut {
  const char* keys;  ///< as the help shows them
  const char* meaning;
  std::function<bool(const KeyPress&)> matches;
  std::function<void(Edit&)> act;
  bool everywhere = false;  ///< in both workspaces
};

/// Those of a workspace.
const std::vector<Shortcut>& shortcuts(Workspace workspace = Workspace::kLife);

/// What the mouse does over the picture, for the help panel.
struct MouseGesture {
  const char* gesture;
  const char* meaning;
};
const std::vector<MouseGesture>& mouse_gestures(Workspace workspace = Workspace::kLife);

/// Applies what was typed to the edit, by the shortcuts of its workspace.
void apply_keys(const std::vector<KeyPress>& presses, Edit& edit);

}  // namespace loom::app
