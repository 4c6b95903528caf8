#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <variant>

#include "app/document/scene/window/file_browser.h"
#include "app/gui/layout.h"
#include "app/palette/custom_palettes.h"
#include "app/shell/shell_settings.h"
#include "app/tasks/task.h"

namespace loom::app {

/// The dialog that edits a palette: stops, direction, cycle, colours of holes and outside. It is at the left,
/// so that the picture stays visible. Editing a built-in palette creates a custom one with another name.
class PaletteEditor {
 public:
  PaletteEditor();

  void open() { begin_ = true; }
  bool is_open() const { return open_; }
  bool active() const { return open_ || begin_; }
  /// Draws a frame: edits the palette `name` of the shell, and `name` if the palette is renamed. `cycle` is
  /// dwells per turn; null if nothing is cyclic.
  void show(ShellEdit& edit, std::string& name, std::uint32_t* cycle);

  /// Its state for the state trace; null while closed.
  nlohmann::ordered_json state() const;
  Area button;  ///< the button that opens it

 private:
  bool stop_strip(render::PaletteSpec& recipe);
  bool stop_rows(render::PaletteSpec& recipe);
  bool whole_rows(render::PaletteSpec& recipe);
  void take(ShellSettings& shell, std::string& name, render::PaletteSpec recipe);
  void file_row(ShellSettings& shell, std::string& name);
  void import_file(ShellSettings& shell, std::string& name);

  bool open_ = false;
  bool begin_ = false;
  std::size_t selected_ = 0;  ///< index of the selected stop
  bool dragging_ = false;
  std::optional<float> dim_;          ///< dimming of the theme while open
  std::optional<std::string> typed_;  ///< a name being typed
  std::string problem_;
  scene::FileBrowser browser_;
  std::map<std::string, Area, std::less<>> areas_;  ///< for tests; empty while closed
};

/// A slider for dwells per turn; `disabled_reason` disables it if nothing is cyclic.
void cycle_row(std::uint32_t& cycle, std::string_view disabled_reason);

/// The row that selects a palette from groups, with a button that edits it.
void palette_choice(ShellSettings& shell, std::string& name, PaletteEditor& editor);

/// Saves the custom palettes to the user's folder in the background as they change. Does nothing if there is
/// no folder.
class PaletteAutosave {
 public:
  PaletteAutosave();

  /// Loads the saved palettes. Call once, before anything else.
  CustomPalettes load();
  /// Call in each frame with the current list.
  void save(const CustomPalettes& now);
  /// Options or the file that they open added palettes to the list: they are not the user's until edited.
  void exclude(const CustomPalettes& with_options);
  /// Saves the list and waits until it is on disk. Returns why it failed; empty on success.
  std::string finish(const CustomPalettes& now);
  /// Takes the error message since the last call; usually empty.
  std::string take_problem();

 private:
  void start(const CustomPalettes& now);
  void take_outcome(const Task<std::monostate>::Outcome& outcome);

  std::optional<PaletteFolder> folder_;  ///< used by the task while it runs
  CustomPalettes last_requested_;        ///< the list last passed to the task
  std::string problem_;
  bool failed_ = false;        ///< the last attempt to save failed
  Task<std::monostate> task_;  ///< last member: must end before the members it uses
};

}  // namespace loom::app
