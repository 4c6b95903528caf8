#pragma once

#include <functional>

#include "app/document/bookmarks/window/bookmark_host.h"
#include "app/program/program_scene_host.h"

namespace loom::app {

/// Connects bookmarks with the program.
class ProgramBookmarkHost final : public bookmarks::BookmarkHost {
 public:
  ProgramBookmarkHost(Application& application, LifeWorkspace& life, MandelbrotWorkspace& mandelbrot)
      : application_(application),
        life_(life),
        mandelbrot_(mandelbrot),
        scenes_(application, life, mandelbrot) {}

  scene::Bookmark here() const override;
  Area picture_area() const override;
  float picture_scale() const override;
  void go(const scene::Bookmark& bookmark, ShellEdit& shell) override;
  std::string coordinates() const override;
  std::string go_to(const std::string& text, ShellEdit& shell) override;
  std::string go_to_dwells(const std::string& text, ShellEdit& shell) override;
  std::string command() const override;

 private:
  bool shows_life() const { return application_.settings().workspace == 0; }
  render::Extent picture() const;
  void look_at(const ComplexView& view, std::optional<std::uint32_t> dwell_limit, ShellEdit& shell);

  Application& application_;
  LifeWorkspace& life_;
  MandelbrotWorkspace& mandelbrot_;
  ProgramSceneHost scenes_;
};

}  // namespace loom::app
