#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "app/document/scene/bookmark.h"
#include "app/document/scene/workspace_state.h"

namespace loom::app::scene {

/// Everything that a scene file stores. Backend, device and text size depend on machine and user, and are
/// left out.
struct Scene {
  std::string workspace = "life";   ///< id of the shown workspace
  std::string palette = "cividis";  ///< as in ShellSettings
  CustomPalettes custom_palettes = {};
  std::map<std::string, StatePtr, std::less<>> states = {};  ///< by id of the workspace
  std::vector<Bookmark> bookmarks = {};

  /// The state of the shown workspace.
  const WorkspaceState& shown() const { return *states.at(workspace); }
};

/// The state of the workspace whose states have this type; the default one if the scene has none.
template <typename State>
const State& state_of(const Scene& scene) {
  static const State kDefault;
  const auto found = scene.states.find(State::kId);
  return found == scene.states.end() ? kDefault : dynamic_cast<const State&>(*found->second);
}

/// The same state to be changed. It belongs to this scene alone from now on.
template <typename State>
State& edit_state(Scene& scene) {
  StatePtr& state = scene.states[std::string(State::kId)];
  if (!state || state.use_count() > 1) {
    state = state ? std::make_shared<State>(dynamic_cast<const State&>(*state)) : std::make_shared<State>();
  }
  // Every state is created as a State that is not const.
  return const_cast<State&>(dynamic_cast<const State&>(*state));
}

/// The version written; all versions up to it can be read.
inline constexpr int kVersion = 4;

/// A scene as ASCII JSON, which a zero byte and the packed cells follow; see docs/reference/file-formats.md.
/// Throws OperationCancelled, std::bad_alloc.
std::string bytes_of(const Scene& scene, ProgressMonitor* watch = nullptr);

/// The JSON of such bytes.
inline std::string_view json_part(std::string_view bytes) {
  return bytes.substr(0, bytes.find('\0'));
}

/// Reads a scene with a state of each format; unknown members are skipped. Throws InputError with fault and
/// position, what `check` throws, OperationCancelled, std::bad_alloc.
Scene read_bytes(std::string_view bytes, Formats formats, const CapacityCheck& check,
                 ProgressMonitor* watch = nullptr);

}  // namespace loom::app::scene
