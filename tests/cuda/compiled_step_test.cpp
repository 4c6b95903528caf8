#include "compute/cuda/bits/compiled_step.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <future>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "compute/backend/engine_factory.h"
#include "compute/core/error.h"
#include "compute/geometry/bit_planes.h"
#include "compute/geometry/nbb_fractal.h"
#include "compute/workload/rule_text.h"

namespace loom {
namespace {

/// Custom fractals as users define them: slots of 32, 16 and 64 bits, different scales per axis, and
/// neighbours handled in whole bytes.
std::vector<NbbFractal> fractals_of_users() {
  return {
      {"corner", 2, 2, {{1, 1}, {0, 1}, {1, 0}}},
      {"two slots", 4, 3, {{1, 0}, {2, 0}, {3, 0}, {0, 1}, {1, 1}, {3, 1}, {0, 2}, {1, 2}, {2, 2}, {3, 2}}},
      {"pair", 2, 1, {{0, 0}, {1, 0}}},
      {"odd", 5, 2, {{4, 0}, {0, 1}, {1, 1}, {2, 0}, {4, 1}, {3, 1}}},
      {"eight", 4, 4, {{0, 0}, {3, 0}, {1, 1}, {2, 1}, {1, 2}, {2, 2}, {0, 3}, {3, 3}}}};
}

/// Needs the compiler but no device. Every header that the kernel source includes must be embedded.
TEST(CompiledStep, IsCompiledFromWhatTheProgramHolds) {
  const std::vector<NbbFractal> fractals = fractals_of_users();
  for (const NbbFractal& fractal : {fractals.front(), fractals.back()}) {
    SCOPED_TRACE(fractal.name());
    try {
      const cuda::MachineCode code = cuda::compile_step(plane_shape(fractal.shape()), 90);
      EXPECT_FALSE(code.code.empty());
      ASSERT_EQ(code.kernels.size(), 2u);
      EXPECT_NE(code.kernels[0], code.kernels[1]);
    } catch (const cuda::CompilerError& error) {
      const std::string said = error.what();
      if (said.find("was not found") != std::string::npos) GTEST_SKIP() << said;
      FAIL() << said;
    }
  }
}

/// A user may close the window while the kernel of a new fractal still compiles.
TEST(CompiledStep, AProcessThatEndsMeanwhileWaitsForIt) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  const auto end_meanwhile = [] {
    std::promise<void> begun;
    std::thread([&begun] {
      const cuda::ExitGuard held;
      begun.set_value();
      try {
        cuda::compile_step(plane_shape(fractals_of_users().front().shape()), 90);
        std::fputs("compiled\n", stderr);
      } catch (const cuda::CompilerError&) {
        std::fputs("no compiler\n", stderr);
      }
    }).detach();
    begun.get_future().wait();
    std::exit(0);
  };
  EXPECT_EXIT(end_meanwhile(), testing::ExitedWithCode(0), "compiled|no compiler");
}

TEST(CompiledStep, EqualsBytesOnTheCpu) {
  const auto cuda = [] {
    try {
      return std::optional(select_backend(BackendChoice::kCuda));
    } catch (const MachineError&) {
      return std::optional<BackendSelection>();
    }
  }();
  if (!cuda) GTEST_SKIP() << "no CUDA device";
  for (const NbbFractal& fractal : fractals_of_users()) {
    int level = 0;
    while (fractal.cells(level) < 5'000'000) ++level;
    const FractalConfig bits{fractal, level, 1, {.map = MapKind::kCompact, .storage = CellStorage::kBits}};
    const FractalConfig bytes{fractal, level, 1, {.map = MapKind::kCompact}};
    SCOPED_TRACE(fractal.name());
    const auto engine = make_fractal_engine(bits, *cuda);
    engine->wait_for_compilation();
    EXPECT_EQ(engine->backend_name().find("tables"), std::string::npos) << engine->backend_name();
    const auto expected = make_fractal_engine(bytes, select_backend(BackendChoice::kCpu));
    for (const auto& each : {engine.get(), expected.get()}) {
      each->reset({7, 0.4});
      each->step(3, parse_rule("B2/S23"));
      each->step(2, parse_rule("B36/S125"));
    }
    EXPECT_EQ(engine->census().hash, expected->census().hash);
    EXPECT_EQ(engine->census().population, expected->census().population);
  }
}

}  // namespace
}  // namespace loom
