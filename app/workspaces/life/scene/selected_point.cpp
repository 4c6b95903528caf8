#include "app/workspaces/life/scene/selected_point.h"

#include <algorithm>
#include <utility>

namespace loom::app {
namespace {

std::uint64_t walked(std::uint64_t at, int by, std::uint64_t end) {
  if (by < 0) return at - std::min(at, static_cast<std::uint64_t>(-by));
  return std::min(end - 1, at + static_cast<std::uint64_t>(by));
}

}  // namespace

std::optional<Coord64> selected_point(LifeEdit& edit, const FractalConfig& config,
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
    *pinned = {walked(pinned->x, std::exchange(view.pan.x, 0), width),
               walked(pinned->y, std::exchange(view.pan.y, 0), height)};
  }
  if (!settings.show_thread) return std::nullopt;
  if (clicked && !settings.edit_cells && under_cursor) pinned = under_cursor;
  return pinned ? pinned : under_cursor;
}

}  // namespace loom::app
