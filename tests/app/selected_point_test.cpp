#include <gtest/gtest.h>

#include "app/workspaces/life/scene/life_stats.h"

namespace loom::app {
namespace {

class SelectedPoint : public testing::Test {
 protected:
  /// Runs a frame, optionally with Escape pressed and a point clicked. Returns whether Escape is left for
  /// other handlers.
  bool frame(bool escape, std::optional<Coord64> clicked = {}) {
    shell_.commands.dismiss = escape;
    selected_point(edit_, edit_.settings.config, {16, 16}, clicked, clicked.has_value());
    return shell_.commands.dismiss;
  }
  ShellEdit shell_;
  LifeEdit edit_{default_life_settings(), {}, shell_};
};

TEST_F(SelectedPoint, EscapeUnpins) {
  edit_.settings.show_thread = true;
  edit_.settings.pinned = Coord64{3, 5};
  EXPECT_FALSE(frame(true));
  EXPECT_FALSE(edit_.settings.pinned);
  EXPECT_TRUE(frame(true)) << "nothing is pinned, so Escape is left for other handlers";
}

TEST_F(SelectedPoint, AClickExplainsItsPoint) {
  EXPECT_FALSE(edit_.settings.show_thread);
  frame(false);
  EXPECT_FALSE(edit_.settings.show_thread);
  edit_.settings.edit_cells = true;
  frame(false, Coord64{8, 9});
  EXPECT_FALSE(edit_.settings.show_thread) << "it paints";
  edit_.settings.edit_cells = false;
  frame(false, Coord64{8, 9});
  EXPECT_TRUE(edit_.settings.show_thread);
  EXPECT_EQ(edit_.settings.pinned, (Coord64{8, 9}));
}

TEST_F(SelectedPoint, WhatALessonAsksAboutStaysPinned) {
  edit_.settings.show_thread = true;
  edit_.settings.pinned = edit_.settings.lesson_point = Coord64{3, 5};
  EXPECT_TRUE(frame(true)) << "the point of the lesson stays pinned, so Escape is left for other handlers";
  EXPECT_EQ(edit_.settings.pinned, (Coord64{3, 5}));
  frame(false, Coord64{8, 9});
  EXPECT_EQ(edit_.settings.pinned, (Coord64{8, 9}));
  EXPECT_FALSE(frame(true));
  EXPECT_EQ(edit_.settings.pinned, (Coord64{3, 5})) << "Escape returns to the lesson's point";
}

}  // namespace
}  // namespace loom::app
