#include <gtest/gtest.h>

#include <string>

#include "program.h"

namespace loom::test {
namespace {

/// A part has a reason exactly if it is not available.
void expect_reason(const nlohmann::json& part) {
  EXPECT_EQ(part["available"].get<bool>(), part["reason"].get<std::string>().empty()) << part;
}

TEST(Info, JsonHasEveryPart) {
  const Outcome outcome = run_program(words("info --json"));
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  const auto json = outcome.json();
  EXPECT_EQ(json["program"], "fractal-loom");
  EXPECT_TRUE(json["built_with_cuda"].is_boolean());
  expect_reason(json["cuda"]);
  expect_reason(json["gl"]);
  expect_reason(json["interop"]);
  EXPECT_EQ(json["cuda"]["available"].get<bool>(), !json["cuda"]["devices"].empty());
  for (const auto& device : json["cuda"]["devices"]) {
    EXPECT_FALSE(device["name"].get<std::string>().empty());
    EXPECT_GT(device["multiprocessors"], 0);
    EXPECT_GE(device["total_bytes"].get<std::uint64_t>(), device["free_bytes"].get<std::uint64_t>());
  }
  EXPECT_NE(json["cpu"]["device"].get<std::string>().find("thread"), std::string::npos);
  EXPECT_EQ(json["backend"]["chosen"], json["cuda"]["available"].get<bool>() ? "cuda" : "cpu");
  if (json["gl"]["available"].get<bool>()) {
    EXPECT_FALSE(json["gl"]["renderer"].get<std::string>().empty());
    EXPECT_FALSE(json["gl"]["version"].get<std::string>().empty());
  }
}

TEST(Info, TextNamesEveryPart) {
  const Outcome outcome = run_program(words("info"));
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  for (const char* part :
       {"built with CUDA", "CUDA driver", "CUDA device", "CPU", "backend", "OpenGL", "interop"}) {
    EXPECT_NE(outcome.out.find(part), std::string::npos) << part << "\n" << outcome.out;
  }
}

TEST(Info, AskingForAMissingDeviceIsStatus3WithTheReason) {
  const auto cuda = run_program(words("info --json")).json()["cuda"];
  if (cuda["available"].get<bool>()) GTEST_SKIP() << "this machine has a CUDA device";
  const Outcome outcome = run_program(words("life --backend cuda"));
  EXPECT_EQ(outcome.status, 3);
  EXPECT_EQ(outcome.err_lines().size(), 1u) << outcome.err;
  EXPECT_NE(outcome.err.find(cuda["reason"].get<std::string>()), std::string::npos) << outcome.err;
}

}  // namespace
}  // namespace loom::test
