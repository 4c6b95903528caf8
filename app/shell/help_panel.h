#pragma once

#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <vector>

#include "app/gui/layout.h"
#include "app/shell/menu_bar.h"
#include "app/shell/shortcuts.h"

namespace loom::app {

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
