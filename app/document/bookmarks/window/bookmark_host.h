#pragma once

#include <string>

#include "app/document/scene/bookmark.h"
#include "app/gui/layout.h"
#include "app/shell/shell_settings.h"

namespace loom::app::bookmarks {

/// The interface through which bookmarks access the program.
class BookmarkHost {
 public:
  virtual ~BookmarkHost() = default;
  /// A bookmark of the current view, with a default name.
  virtual scene::Bookmark here() const = 0;
  /// Area of its picture in ImGui units, and framebuffer pixels per unit.
  virtual Area picture_area() const = 0;
  virtual float picture_scale() const = 0;
  /// Shows the bookmark in its workspace with the next frame. Call before the workspace's frame begins.
  virtual void go(const scene::Bookmark& bookmark, ShellEdit& shell) = 0;
  /// The coordinates of the current view, in a form that can be read back.
  virtual std::string coordinates() const = 0;
  /// Goes to the position in a text. Returns a sentence about ignored parts; throws InputError.
  virtual std::string go_to(const std::string& text, ShellEdit& shell) = 0;
  /// Like go_to() in the Mandelbrot workspace, even if Life is active.
  virtual std::string go_to_dwells(const std::string& text, ShellEdit& shell) = 0;
  /// The command line that opens the current scene; throws InputError with the reason if there is none.
  virtual std::string command() const = 0;
};

}  // namespace loom::app::bookmarks
