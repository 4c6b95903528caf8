#pragma once

#include <array>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/gui/layout.h"
#include "app/shell/shortcuts.h"

namespace loom::app {

/// The menu bar at the top of the window, and the command palette over the same commands. Menus list the
/// commands source by source, with a line between two sources.
class MenuBar {
 public:
  /// Draws the bar in `area`. `file_items` draws what the File menu has besides commands.
  void draw(const Area& area, std::span<const CommandSource> sources,
            const std::function<void()>& file_items);
  /// Opens the palette with the next draw_palette().
  void open_palette() { palette_requested_ = true; }
  /// Draws the palette over `area` while it is open: a text filters the commands, Enter runs the selected
  /// one. Returns words that no command has, once they are to be searched for in the documentation.
  std::optional<std::string> draw_palette(const Area& area, std::span<const CommandSource> sources);

  /// Whether the palette is open or opens in this frame.
  bool palette_shown() const { return palette_requested_ || palette_open_; }

  void add_state(nlohmann::ordered_json& json) const;

 private:
  struct Place {
    std::string name;  ///< "File/Open...", "View/Window/Metrics"
    Area area;
  };
  void menu(Menu which, const std::string& path, std::span<const CommandSource> sources,
            const std::function<void()>& file_items);
  std::optional<std::string> palette_rows(std::span<const CommandSource> sources);

  bool palette_requested_ = false;
  bool palette_open_ = false;
  std::string filter_;
  int selected_ = 0;                             ///< row of the palette
  std::array<Area, kMenus.size()> titles_ = {};  ///< places, for tests; the next member too
  std::vector<Place> items_;                     ///< of the open menu
};

/// Whether every word of `filter` occurs in the menu, the label, the meaning or the keys of a command;
/// letters of either case.
bool matches(const Command& command, std::string_view filter);

/// The commands of a workspace that is not shown.
struct OtherCommands {
  const char* workspace;
  std::span<const Command> commands;
};

/// The list of all keys and mouse gestures, grouped by menu, with a field that filters it.
class HelpPanel {
 public:
  /// Draws the list over the middle of `area`. Closing it sets `shown` to false.
  void draw(const Area& area, bool& shown, std::span<const CommandSource> sources,
            std::span<const OtherCommands> others, std::span<const KeyHelp> gestures);
  /// Gives the field the keyboard focus in the next frame that is drawn.
  void focus_search() { focuses_search_ = true; }
  void add_state(nlohmann::ordered_json& json) const;

 private:
  struct Row {
    const char* keys;
    std::string meaning;
  };
  /// The rows of one menu, of the mouse, or of a workspace that is not shown.
  struct Group {
    std::string title;
    std::vector<Row> rows;
  };
  void fill(std::span<const CommandSource> sources, std::span<const OtherCommands> others,
            std::span<const KeyHelp> gestures);
  void groups(bool two_columns) const;

  bool was_shown_ = false;
  bool focuses_search_ = false;
  std::string filter_;
  std::vector<Group> groups_;
};

}  // namespace loom::app
