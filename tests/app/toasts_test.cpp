#include "app/shell/toasts.h"

#include <gtest/gtest.h>

#include <cmath>

#include "app/gui/theme.h"

namespace loom::app {
namespace {

constexpr Toasts::Clock::time_point kStart{};

TEST(Toasts, ASuccessGoesByItselfAndIsNothingToClose) {
  Toasts toasts;
  toasts.show(Message::success("Saved a.loom"), std::nullopt, kStart);
  EXPECT_TRUE(toasts.persistent().empty());
  EXPECT_EQ(toasts.newest().text, "Saved a.loom");
  toasts.dismiss();
  EXPECT_EQ(toasts.newest().text, "Saved a.loom") << "Esc does not dismiss a success message";
  toasts.update(kStart + Toasts::kShown - std::chrono::milliseconds(1));
  EXPECT_FALSE(toasts.newest().empty());
  toasts.update(kStart + Toasts::kShown);
  EXPECT_TRUE(toasts.newest().empty());
}

TEST(Toasts, WarningsAndErrorsStayUntilTheyAreClosed) {
  for (const Message& message : {Message::warning("w"), Message::error("e")}) {
    Toasts toasts;
    toasts.show(message, std::nullopt, kStart);
    toasts.update(kStart + std::chrono::hours(1));
    EXPECT_EQ(toasts.persistent().text, message.text);
    toasts.dismiss();
    EXPECT_TRUE(toasts.newest().empty());
  }
}

TEST(Toasts, ASuccessDoesNotHideAnError) {
  Toasts toasts;
  toasts.show(Message::error("no room on the disk"), std::nullopt, kStart);
  toasts.show(Message::success("Kept: a place"), std::nullopt, kStart);
  toasts.show({}, std::nullopt, kStart);
  EXPECT_EQ(toasts.newest().text, "Kept: a place");
  EXPECT_EQ(toasts.persistent().text, "no room on the disk");
  toasts.update(kStart + Toasts::kShown);
  EXPECT_EQ(toasts.newest().text, "no room on the disk");
}

TEST(Toasts, AMessageIsSeenInTheWorkspaceThatItSpeaksOf) {
  Toasts toasts;
  toasts.show(Message::warning("cancelled and paused"), 0, kStart);
  toasts.show(Message::success("Kept: a place"), 0, kStart);
  toasts.set_workspace(1, kStart);
  EXPECT_TRUE(toasts.newest().empty());
  toasts.show(Message::error("out of memory"), 0, kStart);
  EXPECT_TRUE(toasts.newest().empty());
  toasts.show(Message::error("no such device"), std::nullopt, kStart);
  EXPECT_EQ(toasts.persistent().text, "no such device");
  toasts.set_workspace(0, kStart);
  EXPECT_EQ(toasts.persistent().text, "no such device")
      << "an error without a workspace stays until it is dismissed";
  toasts.dismiss(kStart);
  EXPECT_EQ(toasts.persistent().text, "out of memory") << "the earlier error was still queued";
  EXPECT_TRUE(toasts.transient().empty());
  toasts.dismiss(kStart);
  EXPECT_TRUE(toasts.newest().empty());
}

TEST(Toasts, AHintDoesNotReplaceAnErrorThatWaits) {
  Toasts toasts;
  toasts.show(Message::error("out of memory"), 1, kStart);
  toasts.show(Message::hint("N does nothing"), 1, kStart);
  toasts.set_workspace(1, kStart);
  EXPECT_EQ(toasts.persistent().text, "out of memory");
}

/// Relative luminance and contrast of WCAG 2.1.
double luminance(const glm::vec4& colour) {
  const auto linear = [](double part) {
    return part <= 0.04045 ? part / 12.92 : std::pow((part + 0.055) / 1.055, 2.4);
  };
  return 0.2126 * linear(colour.r) + 0.7152 * linear(colour.g) + 0.0722 * linear(colour.b);
}
double contrast(const glm::vec4& one, const glm::vec4& other) {
  const double a = luminance(one);
  const double b = luminance(other);
  return (std::max(a, b) + 0.05) / (std::min(a, b) + 0.05);
}

TEST(Theme, WordsOfMessagesAndButtonsAreReadable) {
  constexpr double kAA = 4.5;
  for (const glm::vec4& colour : {theme::kText, theme::kSuccess, theme::kWarning, theme::kError})
    EXPECT_GE(contrast(colour, theme::kBackground), kAA);
  EXPECT_GE(contrast(theme::kOnAccent, theme::kAccent), kAA);
  EXPECT_GE(contrast(theme::kText, theme::kHover), kAA);
}

}  // namespace
}  // namespace loom::app
