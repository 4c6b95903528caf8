#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "app/gui/layout.h"
#include "app/palette/own_palettes.h"
#include "app/scene/window/file_browser.h"
#include "app/shell/shell_settings.h"

namespace loom::app {

/// The dialog in which a palette is edited: its stops, direction, cycle, and what holes look like. It stands
/// at the left, so that the picture is seen to change. A built-in palette that is changed becomes one of
/// one's own under another name.
class PaletteEditor {
 public:
  PaletteEditor();

  void open() { begin_ = true; }
  bool is_open() const { return open_; }
  bool active() const { return open_ || begin_; }
  /// One frame of it: edits the palette of this name among the shell's, and the name where the palette gets
  /// another; `cycle` is how many dwells a turn of the cycle takes, null where nothing is cyclic.
  void show(ShellEdit& edit, std::string& name, std::uint32_t* cycle);

  /// What it shows, for the program's state; null while it is closed.
  nlohmann::ordered_json state() const;
  Area button;  ///< that opens it

 private:
  bool stop_strip(render::PaletteRecipe& recipe);
  bool stop_rows(render::PaletteRecipe& recipe);
  bool whole_rows(render::PaletteRecipe& recipe);
  void take(ShellSettings& shell, std::string& name, render::PaletteRecipe recipe);
  void file_row(ShellSettings& shell, std::string& name);
  void import_file(ShellSettings& shell, std::string& name);

  bool open_ = false;
  bool begin_ = false;
  std::size_t selected_ = 0;  ///< of the stops
  bool dragging_ = false;
  std::optional<float> dim_;          ///< of the theme, while it is open
  std::optional<std::string> typed_;  ///< a name under way
  std::string problem_;
  scene::FileBrowser browser_;
  std::map<std::string, Area, std::less<>> places_;  ///< for tests; empty while it is closed
};

/// How many dwells a turn takes, in a slider; `why_not` where nothing is cyclic.
void cycle_row(std::uint32_t& cycle, std::string_view why_not);

}  // namespace loom::app
