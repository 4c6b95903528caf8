#include <gtest/gtest.h>

#include "app/shell/undo_history.h"
#include "app/workspaces/life/document/life_state.h"

namespace loom::app {
namespace {

/// A frame's edit is a number.
using NumberQueue = EditQueue<int, LifeState>;

TEST(EditQueue, AppliesARequestOnceAndTheLastOneCounts) {
  UndoHistory undo;
  NumberQueue edits(undo);
  int number = 1;
  EXPECT_FALSE(edits.apply(number));
  EXPECT_EQ(number, 1);
  edits.request([](int& edit) { edit = 5; });
  edits.request([](int& edit) { edit += 2; });
  EXPECT_FALSE(edits.apply(number)) << "a request is an action of the user";
  EXPECT_EQ(number, 3);
  edits.apply(number);
  EXPECT_EQ(number, 3);
}

TEST(EditQueue, ARestoredStateReplacesTheRequestBeforeIt) {
  UndoHistory undo;
  NumberQueue edits(undo);
  edits.request([](int& edit) { edit = 5; });
  const auto state =
      std::make_shared<const LifeState>(default_life_settings(), CellSource(RandomStart()), std::nullopt);
  edits.restore(state);
  EXPECT_EQ(edits.restored(), state);
  EXPECT_EQ(edits.take_restored(), state);
  EXPECT_EQ(edits.restored(), nullptr);
  int number = 1;
  edits.apply(number);
  EXPECT_EQ(number, 1);
}

TEST(EditQueue, UndoAndRedoReachTheNextFrame) {
  UndoHistory undo;
  NumberQueue edits(undo);
  undo.begin_action(0);
  const auto set = [](int to) { return [to](int& edit) { edit = to; }; };
  edits.record({.what = "number"}, set(1), set(2));
  EXPECT_EQ(undo.undo_label(), "number");
  int number = 2;
  EXPECT_FALSE(edits.apply(number)) << "recording changes nothing";
  undo.undo();
  EXPECT_EQ(number, 2) << "the next frame has not begun";
  edits.request([](int& edit) { edit = 7; });
  EXPECT_TRUE(edits.apply(number));
  EXPECT_EQ(number, 1) << "undo follows a request";
  EXPECT_FALSE(edits.apply(number));
  undo.redo();
  EXPECT_TRUE(edits.apply(number));
  EXPECT_EQ(number, 2);
}

}  // namespace
}  // namespace loom::app
