#include "app/workspaces/life/scene/selected_point.h"

#include <utility>

#include "app/widgets/picture_cursor.h"

namespace loom::app {

std::optional<Coord64> selected_point(LifeEdit& edit, const FractalConfig& config, Coord64 tile,
                                      const std::optional<Coord64>& under_cursor, bool clicked) {
  LifeSettings& settings = edit.settings;
  std::optional<Coord64>& pinned = settings.pinned;
  const std::uint64_t width = config.fractal.width(config.level);
  const std::uint64_t height = config.fractal.height(config.level);
  if (!settings.show_thread) pinned.reset();
  if (pinned && (pinned->x >= width || pinned->y >= height)) pinned.reset();
  // A lesson's point stays pinned; Escape then closes other things.
  if (pinned && pinned != settings.lesson_point && std::exchange(edit.shell.commands.dismiss, false))
    pinned = settings.lesson_point;
  if (pinned) {
    ViewCommands& view = edit.shell.view;
    *pinned = moved_within(*pinned, std::exchange(view.pan, {}), {1, 1}, {width, height});
    *pinned = moved_within(*pinned, std::exchange(view.large_pan, {}), tile, {width, height});
  }
  if (!settings.show_thread) return std::nullopt;
  if (clicked && !settings.edit_cells && under_cursor) pinned = under_cursor;
  return pinned ? pinned : under_cursor;
}

}  // namespace loom::app
