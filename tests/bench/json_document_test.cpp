#include "app/bench/json_document.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "compute/core/error.h"
#include "contains.h"
#include "expect_cancels.h"

namespace loom::app::bench {
namespace {

using test::contains;

std::string problem_of(const std::string& text, const JsonLimits& limits = {}) {
  try {
    parse_json(text, limits);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

std::string repeated(std::string_view part, int count) {
  std::string text;
  for (int i = 0; i < count; ++i) text += part;
  return text;
}

TEST(JsonDocument, NestsSoDeepAndNoDeeper) {
  EXPECT_EQ(problem_of(repeated("[", 32) + repeated("]", 32)), "");
  EXPECT_TRUE(contains(problem_of(repeated("[", 33)), "nested too deeply; allowed: up to 32"));
  EXPECT_TRUE(contains(problem_of(repeated("{\"a\":", 33)), "nested too deeply"));
  EXPECT_EQ(problem_of("[" + repeated("[],", 1000) + "1]"), "");
  // Brackets within a string do not nest, even after an escaped quote.
  EXPECT_EQ(problem_of("\"\\\"" + repeated("[", 100) + "\""), "");
}

TEST(JsonDocument, HasSoManyValuesAndNoMore) {
  EXPECT_EQ(problem_of("[1, {\"a\": null}]", {.values = 4}), "");
  EXPECT_TRUE(contains(problem_of("[1, {\"a\": null}]", {.values = 3}), "allowed: up to 3"));
  EXPECT_TRUE(contains(problem_of("[1, 2]", {.bytes = 5}), "it has 6 bytes; allowed: up to 5"));
  std::string members = "{";
  for (int i = 0; i < 256; ++i) members += "\"" + std::to_string(i) + "\": 1, ";
  EXPECT_TRUE(contains(problem_of(members + "\"0\": {}}"), "too many members, at '0'"));
  EXPECT_EQ(problem_of(members.substr(0, members.size() - 2) + "}"), "");
}

TEST(JsonDocument, WhatIsNoJsonIsSaidWithItsPlace) {
  EXPECT_TRUE(contains(problem_of("[1, 2"), "ends too early, after 5 bytes"));
  EXPECT_TRUE(contains(problem_of("[1e999]"), "out of range, 1e999"));
  EXPECT_TRUE(contains(problem_of("[\"\xff\"]"), "at byte 3 of 5"));
  EXPECT_TRUE(contains(problem_of("[] []"), "at byte 4"));
  EXPECT_EQ(problem_of("\xef\xbb\xbf[]"), "") << "a byte order mark is skipped";
}

TEST(JsonDocument, ReadingPollsInBothPassesWhateverTheTextIs) {
  const auto parse = [](const std::string& text) {
    return [&text](ProgressMonitor& watch) { parse_json(text, {}, &watch); };
  };
  const std::string numbers = "[" + repeated("1, ", 1 << 18) + "1]";
  tests::expect_cancels(parse(numbers), 2 * (3 << 18) / (1 << 14));
  const std::string one_text = "\"" + std::string(1 << 20, 'a') + "\"";
  tests::expect_cancels(parse(one_text), 2 * 64);
  const std::string spaces = std::string(1 << 20, ' ') + "1";
  tests::expect_cancels(parse(spaces), 2 * 64);
}

}  // namespace
}  // namespace loom::app::bench
