#include "app/gui/input_queue.h"

#include <GLFW/glfw3.h>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

namespace loom::app {
namespace {

/// Queues input faster than the frames consume it.
struct User {
  InputQueue queue;

  void key(int key, int action, int mods = 0) {
    const bool letter = key >= GLFW_KEY_A && key <= GLFW_KEY_Z;
    queue.add(KeyEvent{key, 0, action, mods, letter ? key - GLFW_KEY_A + 'a' : key});
  }
  void press(int code, int mods = 0) {
    key(code, GLFW_PRESS, mods);
    if (code < GLFW_KEY_ESCAPE && (mods & GLFW_MOD_CONTROL) == 0) {
      const bool letter = code >= GLFW_KEY_A && code <= GLFW_KEY_Z;
      queue.add(CharacterEvent{static_cast<unsigned>(letter ? code - 'A' + 'a' : code)});
    }
    key(code, GLFW_RELEASE, mods);
  }
  void press_with_ctrl(int code) {
    key(GLFW_KEY_LEFT_CONTROL, GLFW_PRESS);
    press(code, GLFW_MOD_CONTROL);
    key(GLFW_KEY_LEFT_CONTROL, GLFW_RELEASE, GLFW_MOD_CONTROL);
  }
  void move(double x, double y) { queue.add(MoveEvent{x, y}); }
  void click(int button = 0) {
    queue.add(ButtonEvent{button, true});
    queue.add(ButtonEvent{button, false});
  }
};

struct Words {
  std::string operator()(const KeyEvent& e) const {
    return fmt::format("{}{} ", e.action == GLFW_RELEASE ? '-' : '+', e.key);
  }
  std::string operator()(const CharacterEvent& e) const {
    return fmt::format("'{}' ", static_cast<char>(e.character));
  }
  std::string operator()(const MoveEvent& e) const { return fmt::format("@{},{} ", e.x, e.y); }
  std::string operator()(const ButtonEvent& e) const {
    return fmt::format("{}button{} ", e.down ? '+' : '-', e.button);
  }
  std::string operator()(const WheelEvent& e) const { return fmt::format("wheel{} ", e.y); }
};

/// One frame as text: the events for ImGui, a bar, and the key presses for shortcuts.
std::string shown(InputQueue& queue, KeyTarget key_target) {
  const InputQueue::Frame frame = queue.next(key_target);
  std::string words;
  for (const InputEvent& event : frame.events) words += std::visit(Words(), event);
  words += frame.wants_search ? "search |" : "|";
  for (const KeyPress& press : frame.presses) {
    words += press.key != 0 ? fmt::format(" {}{}", press.ctrl ? "^" : "", press.key)
                            : fmt::format(" '{}'", static_cast<char>(press.character));
  }
  return words;
}

TEST(InputQueue, OfTwoKeysForATextFieldEachHasAFrameOfItsOwn) {
  User user;
  user.press('.');
  user.press(GLFW_KEY_BACKSPACE);
  user.press(GLFW_KEY_ENTER);
  constexpr auto kField = KeyTarget::kTextField;
  EXPECT_EQ(shown(user.queue, kField), "+46 '.' +259 |") << "the text, then at most one key";
  EXPECT_EQ(shown(user.queue, kField), "-46 -259 +257 |");
  EXPECT_EQ(shown(user.queue, kField), "-257 |");
  EXPECT_EQ(shown(user.queue, kField), "|");
}

TEST(InputQueue, TextThatIsTypedWithinAFrameIsAllThere) {
  User user;
  for (const int key : {'A', 'A', 'B', '3', '3'}) user.press(key);
  EXPECT_EQ(shown(user.queue, KeyTarget::kTextField), "+65 'a' 'a' +66 'b' +51 '3' '3' |");
  EXPECT_EQ(shown(user.queue, KeyTarget::kTextField), "-65 -65 -66 -51 -51 |");
}

TEST(InputQueue, TextAfterAKeyWaitsForIt) {
  User user;
  user.press_with_ctrl('A');  // selects all
  user.press('B');
  EXPECT_EQ(shown(user.queue, KeyTarget::kTextField), "+341 +65 | ^97");
  EXPECT_EQ(shown(user.queue, KeyTarget::kTextField), "-65 -341 |")
      << "the text waits, as the key may have closed the field";
  EXPECT_EQ(shown(user.queue, KeyTarget::kTextField), "|");
  EXPECT_EQ(shown(user.queue, KeyTarget::kTextField), "+66 'b' |");
}

TEST(InputQueue, ShortcutsGetEveryTapOfAFrameAtOnce) {
  User user;
  for (int i = 0; i < 3; ++i) user.press('.');
  user.press('R');
  EXPECT_EQ(shown(user.queue, KeyTarget::kShortcuts), "+46 +82 | 46 '.' 46 '.' 46 '.' 114")
      << "letters arrive as keys, other characters as keys and text";
  EXPECT_EQ(shown(user.queue, KeyTarget::kShortcuts), "-46 -46 -46 -82 |");
}

TEST(InputQueue, WhatIsTypedAfterAClickBelongsToWhatWasClicked) {
  User user;
  user.click();
  user.press('C');  // clears all cells, unless it is text
  EXPECT_EQ(shown(user.queue, KeyTarget::kShortcuts), "+button0 |");
  EXPECT_EQ(shown(user.queue, KeyTarget::kShortcuts), "-button0 |");
  EXPECT_EQ(shown(user.queue, KeyTarget::kShortcuts), "|");
  EXPECT_EQ(shown(user.queue, KeyTarget::kTextField), "+67 'c' |");
}

TEST(InputQueue, WhatIsTypedAfterADialogWasCalledBelongsToIt) {
  User user;
  user.press_with_ctrl('O');
  user.press('C');
  EXPECT_EQ(shown(user.queue, KeyTarget::kShortcuts), "+341 +79 | ^111");
  EXPECT_EQ(shown(user.queue, KeyTarget::kNavigation), "-79 -341 |");
  EXPECT_EQ(shown(user.queue, KeyTarget::kNavigation), "|");
  EXPECT_EQ(shown(user.queue, KeyTarget::kTextField), "+67 'c' |");
}

TEST(InputQueue, AKeyWithCtrlBelongsToTheFieldThatThePreviousOneOpened) {
  User user;
  user.press_with_ctrl('H');
  user.press_with_ctrl('V');
  EXPECT_EQ(shown(user.queue, KeyTarget::kShortcuts), "+341 +72 | ^104");
  EXPECT_EQ(shown(user.queue, KeyTarget::kShortcuts), "-72 -341 +341 |");
  EXPECT_EQ(shown(user.queue, KeyTarget::kShortcuts), "|") << "a row that appears in the next frame";
  EXPECT_EQ(shown(user.queue, KeyTarget::kTextField), "+86 | ^118");
}

TEST(InputQueue, TheSameKeyWithCtrlDoesNotWait) {
  User user;
  user.key(GLFW_KEY_LEFT_CONTROL, GLFW_PRESS);
  for (int i = 0; i < 2; ++i) user.press('Z', GLFW_MOD_CONTROL);
  EXPECT_EQ(shown(user.queue, KeyTarget::kShortcuts), "+341 +90 | ^122");
  EXPECT_EQ(shown(user.queue, KeyTarget::kShortcuts), "-90 |");
  EXPECT_EQ(shown(user.queue, KeyTarget::kShortcuts), "+90 | ^122");
}

TEST(InputQueue, PrintingKeysWaitForTheSearchField) {
  User user;
  user.press('C');
  user.press(GLFW_KEY_DOWN);
  EXPECT_EQ(shown(user.queue, KeyTarget::kSearchable), "search |");
  EXPECT_EQ(shown(user.queue, KeyTarget::kSearchable), "search |");
  EXPECT_EQ(shown(user.queue, KeyTarget::kTextField), "+67 'c' +264 |");
}

TEST(InputQueue, KeysThatDoNotPrintAreForThePageWithTheSearchField) {
  User user;
  user.press(GLFW_KEY_DOWN);
  user.press(GLFW_KEY_ESCAPE);
  EXPECT_EQ(shown(user.queue, KeyTarget::kSearchable), "+264 +256 | 264 256");
}

TEST(InputQueue, ASearchFieldThatIsHiddenHoldsNoKeysBack) {
  User user;
  user.press('C');
  user.press(GLFW_KEY_ESCAPE);
  std::string frame;
  for (int i = 0; i < 10 && frame.find("| 256") == std::string::npos; ++i)
    frame = shown(user.queue, KeyTarget::kSearchable);
  EXPECT_EQ(frame, "-67 +256 | 256") << "the letter is dropped, it is no shortcut";
}

TEST(InputQueue, AClickIsWhereTheMouseWas) {
  User user;
  user.move(1, 1);
  user.move(2, 2);
  user.click();
  user.move(9, 9);
  EXPECT_EQ(shown(user.queue, KeyTarget::kShortcuts), "@1,1 @2,2 +button0 |");
  EXPECT_EQ(shown(user.queue, KeyTarget::kShortcuts), "-button0 |");
  EXPECT_EQ(shown(user.queue, KeyTarget::kShortcuts), "@9,9 |");
}

TEST(InputQueue, ADragWithinAFrameIsADrag) {
  User user;
  user.move(1, 1);
  user.queue.add(ButtonEvent{0, true});
  user.move(9, 9);
  user.queue.add(ButtonEvent{0, false});
  EXPECT_EQ(shown(user.queue, KeyTarget::kShortcuts), "@1,1 +button0 |");
  EXPECT_EQ(shown(user.queue, KeyTarget::kShortcuts), "@9,9 |")
      << "the button is still down where the drag ends";
  EXPECT_EQ(shown(user.queue, KeyTarget::kShortcuts), "-button0 |");
}

TEST(InputQueue, TwoClicksWithinAFrameAreTwo) {
  User user;
  user.click();
  user.click();
  for (const char* frame : {"+button0 |", "-button0 |", "+button0 |", "-button0 |", "|"})
    EXPECT_EQ(shown(user.queue, KeyTarget::kShortcuts), frame);
}

TEST(InputQueue, AKeyMeansWhatTheMouseWasOn) {
  User user;
  user.move(1, 1);
  user.press('T');
  user.move(9, 9);
  EXPECT_EQ(shown(user.queue, KeyTarget::kShortcuts), "@1,1 +84 | 116");
  EXPECT_EQ(shown(user.queue, KeyTarget::kShortcuts), "-84 @9,9 |");
}

TEST(InputQueue, AWheelTurnsWithTheKeysThatWereHeld) {
  User user;
  user.key(GLFW_KEY_LEFT_CONTROL, GLFW_PRESS);
  user.queue.add(WheelEvent{0, 1});
  user.queue.add(WheelEvent{0, 1});
  user.key(GLFW_KEY_LEFT_CONTROL, GLFW_RELEASE, GLFW_MOD_CONTROL);
  EXPECT_EQ(shown(user.queue, KeyTarget::kShortcuts), "+341 wheel1 wheel1 |");
  EXPECT_EQ(shown(user.queue, KeyTarget::kShortcuts), "-341 |");
}

TEST(InputQueue, AWheelTurnsWhereTheMouseWas) {
  User user;
  user.move(100, 100);
  user.queue.add(WheelEvent{0, 1});
  user.move(102, 99);  // the hand moves slightly while scrolling
  user.queue.add(WheelEvent{0, 1});
  user.move(300, 100);
  user.queue.add(WheelEvent{0, 1});
  EXPECT_EQ(shown(user.queue, KeyTarget::kShortcuts), "@100,100 wheel1 @102,99 wheel1 |");
  EXPECT_EQ(shown(user.queue, KeyTarget::kShortcuts), "@300,100 wheel1 |");
}

TEST(InputQueue, ControlsSeeOneKeyAFrame) {
  User user;
  user.press(GLFW_KEY_DOWN);
  user.press(GLFW_KEY_DOWN);
  user.press(GLFW_KEY_ENTER);
  constexpr auto kNavigation = KeyTarget::kNavigation;
  EXPECT_EQ(shown(user.queue, kNavigation), "+264 | 264");
  EXPECT_EQ(shown(user.queue, kNavigation), "-264 |") << "released before it is pressed again";
  EXPECT_EQ(shown(user.queue, kNavigation), "+264 | 264");
  EXPECT_EQ(shown(user.queue, kNavigation), "-264 +257 | 257");
  EXPECT_EQ(shown(user.queue, kNavigation), "-257 |");
}

TEST(InputQueue, TheSpaceThatWorksAFieldIsNotTypedIntoIt) {
  User user;
  user.key(GLFW_KEY_SPACE, GLFW_PRESS);
  user.queue.add(CharacterEvent{' '});
  EXPECT_EQ(shown(user.queue, KeyTarget::kNavigation), "+32 | 32");
  user.key(GLFW_KEY_SPACE, GLFW_REPEAT);
  user.queue.add(CharacterEvent{' '});
  user.key(GLFW_KEY_SPACE, GLFW_RELEASE);
  user.press(' ');
  EXPECT_EQ(shown(user.queue, KeyTarget::kTextField), "-32 ' ' |")
      << "only the character of the next press is text";
}

TEST(InputQueue, WhatAKeyRepeatsIsForShortcuts) {
  User user;
  user.key(GLFW_KEY_LEFT, GLFW_PRESS);
  user.key(GLFW_KEY_LEFT, GLFW_REPEAT);
  user.key(GLFW_KEY_LEFT, GLFW_REPEAT);
  EXPECT_EQ(shown(user.queue, KeyTarget::kShortcuts), "+263 | 263 263 263");
  user.key(GLFW_KEY_LEFT, GLFW_REPEAT);
  EXPECT_EQ(shown(user.queue, KeyTarget::kTextField), "|") << "ImGui generates its own key repeats";
}

}  // namespace
}  // namespace loom::app
