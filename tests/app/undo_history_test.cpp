#include "app/shell/undo_history.h"

#include <gtest/gtest.h>

namespace loom::app {
namespace {

/// A number that is changed step by step.
struct Changed {
  UndoHistory history;
  int value = 0;
  UndoHistory::Clock::time_point now = {};
  void set(int to, bool view = false, std::function<bool()> holds = {}) {
    history.record({.what = "value",
                    .view = view,
                    .back = [this, from = value] { value = from; },
                    .again = [this, to] { value = to; },
                    .holds = std::move(holds)},
                   history.action(), now);
    value = to;
  }
  void set_in_new_action(int to, bool view = false) {
    history.begin_action(0);
    now += std::chrono::seconds(2);
    set(to, view);
  }
};

TEST(UndoHistory, KnowsWhetherCellsWereEverChanged) {
  Changed changed;
  changed.set_in_new_action(1);
  EXPECT_FALSE(changed.history.changed_cells()) << "a setting";
  changed.history.begin_action(0);
  changed.history.record({.what = "painted cells", .back = [] {}, .again = [] {}, .cells = true},
                         changed.history.action());
  EXPECT_TRUE(changed.history.changed_cells());
  changed.history.undo();
  changed.set_in_new_action(2);
  EXPECT_TRUE(changed.history.changed_cells()) << "also when all of it was undone";
}

TEST(UndoHistory, AnActionMayTakeEffectInTheNextFrameToo) {
  UndoHistory history;
  const auto record = [&](const char* what, bool accompanies) {
    history.record({.what = what, .back = [] {}, .again = [] {}, .accompanies = accompanies},
                   history.action());
  };
  history.begin_action(0);
  record("palette", true);
  EXPECT_EQ(history.undo_label(), "palette");
  history.continue_action();
  history.begin_action(0);
  record("fractal", false);
  EXPECT_EQ(history.size(), 1u);
  EXPECT_EQ(history.undo_label(), "fractal") << "not the palette that came with it";
  history.begin_action(0);
  record("level", false);
  EXPECT_EQ(history.size(), 2u);
}

TEST(UndoHistory, KnowsStepsOfTheSceneAndItsViews) {
  Changed changed;
  changed.history.record({.what = "theme", .modifies_scene = false, .back = [] {}, .again = [] {}}, 0);
  EXPECT_FALSE(changed.history.has_scene_steps());
  changed.set_in_new_action(1, true);
  EXPECT_TRUE(changed.history.has_scene_steps()) << "a view";
  EXPECT_FALSE(changed.history.modified());
  changed.history.undo();
  EXPECT_FALSE(changed.history.has_scene_steps());
}

TEST(UndoHistory, GoesBackAndForthOverAHundredSteps) {
  Changed changed;
  for (int i = 1; i <= 150; ++i) changed.set_in_new_action(i);
  for (int i = 149; i >= 0; --i) {
    ASSERT_NE(changed.history.undo(), nullptr);
    EXPECT_EQ(changed.value, i);
  }
  EXPECT_EQ(changed.history.undo(), nullptr);
  for (int i = 1; i <= 150; ++i) {
    ASSERT_NE(changed.history.redo(), nullptr);
    EXPECT_EQ(changed.value, i);
  }
  EXPECT_EQ(changed.history.redo(), nullptr);
}

TEST(UndoHistory, OneActionIsOneStep) {
  Changed changed;
  changed.set_in_new_action(1);
  changed.set(2);
  changed.set(3);
  EXPECT_EQ(changed.history.size(), 1u);
  changed.history.undo();
  EXPECT_EQ(changed.value, 0);
  changed.history.redo();
  EXPECT_EQ(changed.value, 3);
}

TEST(UndoHistory, SomethingNewForgetsWhatWasUndone) {
  Changed changed;
  changed.set_in_new_action(1);
  changed.set_in_new_action(2);
  changed.history.undo();
  changed.set_in_new_action(7);
  EXPECT_FALSE(changed.history.can_redo());
  changed.history.undo();
  EXPECT_EQ(changed.value, 1);
}

TEST(UndoHistory, AViewThatMovesOnIsOneStep) {
  Changed changed;
  for (int i = 1; i <= 5; ++i) {
    changed.history.begin_action(0);
    changed.now += std::chrono::milliseconds(100);
    changed.set(i, true);
  }
  EXPECT_EQ(changed.history.size(), 1u);
  changed.set_in_new_action(9, true);
  EXPECT_EQ(changed.history.size(), 2u) << "after a rest it is another";
  changed.history.undo();
  EXPECT_EQ(changed.value, 5);
  changed.history.undo();
  EXPECT_EQ(changed.value, 0);
}

TEST(UndoHistory, KnowsWhetherTheSceneIsThatOfItsFile) {
  Changed changed;
  UndoHistory& history = changed.history;
  EXPECT_FALSE(history.modified());
  changed.set_in_new_action(1);
  EXPECT_TRUE(history.modified());
  const std::uint64_t saved = history.scene_state();
  changed.set_in_new_action(2);
  history.mark_saved(saved);
  EXPECT_TRUE(history.modified()) << "changed while the file was written";
  history.undo();
  EXPECT_FALSE(history.modified());
  changed.set_in_new_action(3, true);
  EXPECT_FALSE(history.modified()) << "a view is no change";
  changed.set_in_new_action(4);
  EXPECT_TRUE(history.modified());
  history.undo();
  history.undo();
  EXPECT_FALSE(history.modified());
  history.undo();
  EXPECT_TRUE(history.modified()) << "undone beyond what the file has";
}

TEST(UndoHistory, WhatOpeningAFileChangesIsNoChange) {
  Changed changed;
  UndoHistory& history = changed.history;
  changed.set_in_new_action(1);
  history.begin_action(0);
  history.mark_opened();
  const std::uint64_t opening = history.action();
  changed.set(2);
  EXPECT_FALSE(history.modified());
  history.begin_action(0);
  history.record({.what = "cells", .back = [] {}, .again = [] {}}, opening, changed.now);
  EXPECT_FALSE(history.modified()) << "its cells come frames later";
  changed.set_in_new_action(3);
  EXPECT_TRUE(history.modified());
  history.undo();
  EXPECT_FALSE(history.modified());
}

TEST(UndoHistory, ForgottenStepsStillCount) {
  Changed changed;
  for (std::size_t i = 0; i < UndoHistory::kMaxSteps + 5; ++i) changed.set_in_new_action(static_cast<int>(i));
  while (changed.history.undo() != nullptr) {
  }
  EXPECT_TRUE(changed.history.modified());
}

TEST(UndoHistory, WhatCannotBeDoneAnyMoreIsPassedOver) {
  Changed changed;
  changed.set_in_new_action(1);
  changed.history.begin_action(0);
  changed.now += std::chrono::seconds(2);
  bool there = true;
  changed.set(2, false, [&there] { return there; });
  there = false;
  ASSERT_NE(changed.history.undo(), nullptr);
  EXPECT_EQ(changed.value, 0) << "the step before it was taken";
}

}  // namespace
}  // namespace loom::app
