#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <complex>

#include "backend.h"
#include "compute/backend/engine_factory.h"
#include "compute/core/error.h"
#include "compute/mandelbrot/smooth_dwell.h"
#include "plain_subdivision.h"

namespace loom {
namespace {

class CustomFormulas : public tests::EngineTest {
 protected:
  void SetUp() override {
    EngineTest::SetUp();
    if (!IsSkipped()) engine_ = make_mandelbrot_engine(backend_);
  }
  std::vector<std::uint32_t> dwells_of(const MandelbrotConfig& config, const MandelbrotView& view) {
    engine_->compute(config, view);
    std::vector<std::uint32_t> result(view.pixels());
    engine_->read_dwells(0, result);
    return result;
  }
  /// What is wrong with a text; empty if it computes an image.
  std::string problem_of(std::string text) {
    try {
      engine_->compute({.set = custom(std::move(text)), .method = MandelbrotMethod::kExhaustive},
                       {{}, 32, 32});
      return {};
    } catch (const InputError& error) {
      return error.what();
    }
  }
  static EscapeTimeSet custom(std::string text) {
    EscapeTimeSet set{.formula = Formula::kCustom};
    set.custom = CustomFormula(std::move(text));
    return set;
  }
  static EscapeTimeSet returning(std::string_view value) {
    return custom(fmt::format("Complex next(Complex z, Complex c) {{ return {}; }}", value));
  }
  std::unique_ptr<MandelbrotEngine> engine_;
};

/// A built-in formula as its text.
std::string text_of(Formula formula, std::uint32_t power) {
  switch (formula) {
    case Formula::kMandelbrot:
      return "Complex next(Complex z, Complex c) { return sqr(z) + c; }";
    case Formula::kMultibrot:
      return fmt::format("Complex next(Complex z, Complex c) {{ return pow(z, {}) + c; }}", power);
    case Formula::kTricorn:
      return "Complex next(Complex z, Complex c) { return sqr(conj(z)) + c; }";
    case Formula::kBurningShip:
      return "Complex next(Complex z, Complex c) { return sqr(complex(abs(z.re), abs(z.im))) + c; }";
    case Formula::kCeltic:
      return "Complex next(Complex z, Complex c) { z = sqr(z); return complex(abs(z.re), z.im) + c; }";
    case Formula::kBuffalo:
      return "Complex next(Complex z, Complex c) { Complex w = sqr(z);\n"
             "  return complex(abs(w.re), abs(w.im)) + c; }";
    case Formula::kPerpendicular:
      return "Complex next(Complex z, Complex c) { z.re = abs(z.re); return sqr(conj(z)) + c; }";
    case Formula::kCustom:
      break;
  }
  return {};
}

// Bit for bit the dwells of a plain loop that shares no code with the engines and knows the formula by its
// name.
TEST_F(CustomFormulas, TheTextOfEachBuiltInFormulaHasItsDwells) {
  const MandelbrotView views[] = {
      {{}, 48, 48}, {{-2.3, 1.1, -1.7, 2.1}, 51, 33}, {{-2.3, 1.1, -1.7, 2.1}, 36, 24, nullptr, 37}};
  for (const FormulaRow& row : kFormulas) {
    const bool has_power = row.formula == Formula::kMultibrot;
    for (std::uint32_t power = has_power ? kMinPower : 3; power <= (has_power ? kMaxPower : 3); ++power) {
      for (const bool is_julia : {false, true}) {
        EscapeTimeSet built_in{row.formula, power, std::nullopt};
        if (is_julia) built_in.julia = JuliaPoint{-0.4, 0.6};
        EscapeTimeSet own = built_in;
        own.formula = Formula::kCustom;
        own.custom = CustomFormula(text_of(row.formula, power));
        MandelbrotConfig config{.set = built_in, .g = 4, .b = 4, .dwell_limit = 90};
        config.optimisations.mirror = false;  // nothing is known of a custom formula's symmetries
        for (const Precision precision : kDirectPrecisions) {
          for (const MandelbrotMethod method : kMandelbrotMethods) {
            for (const RegionScheme scheme : kRegionSchemes) {
              for (const bool plain : {false, true}) {
                config.precision = precision;
                config.method = method;
                config.scheme = scheme;
                config.optimisations = plain ? kNoOptimisations : MandelbrotOptimisations{};
                config.optimisations.mirror = false;
                for (const MandelbrotView& view : views) {
                  SCOPED_TRACE(fmt::format("{}, {}, {}, {}, {} pixels wide", to_string(built_in),
                                           name_of(method), name_of(scheme), name_of(precision), view.width));
                  MandelbrotConfig computed = config;
                  computed.set = own;
                  ASSERT_EQ(dwells_of(computed, view), tests::plain_subdivision(config, view).image);
                }
              }
            }
          }
        }
      }
    }
  }
}

// Dwells of 32 bits, cycles, and the smooth values.
TEST_F(CustomFormulas, LongOrbitsAndSmoothDwellsAreThoseOfTheBuiltInFormula) {
  const MandelbrotView view{{-1.1, 0.9, -1, 0.7}, 16, 12};
  for (const std::uint32_t limit : {20000u, 70000u}) {
    for (const MandelbrotMethod method : {MandelbrotMethod::kExhaustive, MandelbrotMethod::kAsk}) {
      MandelbrotConfig config{.method = method, .g = 2, .b = 4, .dwell_limit = limit};
      config.optimisations.mirror = config.optimisations.interior = false;
      const std::vector<std::uint32_t> expected = tests::plain_subdivision(config, view).image;
      config.set = custom(text_of(Formula::kMandelbrot, 2));
      EXPECT_EQ(dwells_of(config, view), expected);
      engine_->compute_smooth();
      const ImageView smooth = engine_->smooth_image(MemorySpace::kHost);
      const auto grid = make_direct<float>(view);
      for (std::uint32_t i = 0; i < view.pixels(); ++i) {
        const std::uint32_t found = static_cast<const std::uint32_t*>(smooth.pixels)[i];
        const double unit = std::ldexp(1.0, smooth_digits(limit));
        EXPECT_NEAR(found / unit, smooth_dwell(grid.at(i % view.width, i / view.width), limit), 1e-3);
      }
    }
  }
}

TEST_F(CustomFormulas, StateTheirEscapeRadiusAndTheirDegree) {
  // Doubling from 1: |z|^2 is below 36 for 1, 2 and 4, and below 4 for 1 alone.
  MandelbrotConfig config{.set = returning("2 * z"), .method = MandelbrotMethod::kExhaustive};
  const MandelbrotView view{{1, 1.001, 0, 0.001}, 4, 4};
  EXPECT_EQ(dwells_of(config, view).front(), 1u);
  config.set.custom =
      CustomFormula("const double escape_radius = 6; const int degree = 3;\n" + config.set.custom.text());
  EXPECT_EQ(dwells_of(config, view).front(), 3u);
  EXPECT_NE(problem_of("const int degree = 9; " + config.set.custom.text()).find("degree"),
            std::string::npos);
}

TEST_F(CustomFormulas, NumbersThatAreNoneEscape) {
  for (const char* const value : {"complex(0.0 / 0.0, 0)", "complex(0, 1.0 / 0.0)", "z / complex(0, 0)"}) {
    const auto found = dwells_of({.set = returning(value)}, {{-0.5, 0.5, -0.5, 0.5}, 32, 32});
    EXPECT_TRUE(std::ranges::all_of(found, [](std::uint32_t dwell) { return dwell == 1; })) << value;
  }
}

// Values by the standard library: those of a GPU differ in the last bits.
TEST_F(CustomFormulas, HaveTheFunctionsOfComplexNumbers) {
  const MandelbrotView view{{-1, 1, -1, 1}, 24, 24};
  const auto check = [&](const char* text, const auto& next) {
    MandelbrotConfig config{
        .set = returning(text), .method = MandelbrotMethod::kExhaustive, .dwell_limit = 20};
    config.precision = Precision::kDouble;
    const std::vector<std::uint32_t> found = dwells_of(config, view);
    const auto grid = make_direct<double>(view);
    std::size_t different = 0;
    for (std::uint32_t i = 0; i < view.pixels(); ++i) {
      const auto [re, im] = grid.at(i % view.width, i / view.width);
      const std::complex<double> c(re, im);
      std::complex<double> z = c;
      std::uint32_t dwell = 0;
      for (; dwell < 20 && std::norm(z) < 4; ++dwell) z = next(z, c);
      different += dwell != found[i] ? 1 : 0;
    }
    EXPECT_LE(different, 6u) << text;
  };
  using Z = std::complex<double>;
  check("exp(z) + c", [](Z z, Z c) { return std::exp(z) + c; });
  check("c * sin(z)", [](Z z, Z c) { return c * std::sin(z); });
  check("1.5 * cos(z) - c", [](Z z, Z c) { return 1.5 * std::cos(z) - c; });
  check("z * z / (z - 3) + abs(c) * conj(c)",
        [](Z z, Z c) { return z * z / (z - 3.0) + std::abs(c) * std::conj(c); });
}

TEST_F(CustomFormulas, WhatGoesWrongIsOneLine) {
  const auto expect = [&](const std::string& text, const char* part) {
    const std::string problem = problem_of(text);
    EXPECT_NE(problem.find(part), std::string::npos) << text << ": " << problem;
    EXPECT_EQ(problem.find('\n'), std::string::npos);
  };
  const auto body = [](const std::string& statements) {
    return "Complex next(Complex z, Complex c) {\n" + statements + "\nreturn z; }";
  };
  const auto begin = std::chrono::steady_clock::now();
  expect(body("while (true) z = z + 1;"), "line 2");
  expect(body("while (true) z = z + 1;"), "an infinite loop?");
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(60));
  expect(body("int n = z.re > 9 ? 1 : 0; n = 1 / n;"), "line 2");
  expect(body("int n[2] = {1, 2}; z = z + n[z.re > 9 ? 1 : 3 - 1 * (c.im < 9)];"), "index");
  expect(body("z = foo(z);"), "'foo' is not defined");
  expect(body("z = pow(z, 2.5);"), "a constant whole number from 0 to 64");
  expect(body("return z < c;"), "'<' is not defined for Complex");
  expect(body("z = z % 2;"), "'%' is not defined for Complex");
  expect(body("Cell a;"), "language of maps");
  expect("int next(int z, int c) { return z; }", "Complex next(Complex z, Complex c)");
  expect("", "the formula has no function");
  expect("const double escape_radius = 0; " + body(""), "escape_radius is not allowed");
  // The next image is computed as if nothing had happened.
  EXPECT_EQ(problem_of(body("z = sqr(z) + c;")), "");
}

TEST_F(CustomFormulas, CodeOfAFileDoesNotRun) {
  EscapeTimeSet set{.formula = Formula::kCustom};
  set.custom = CustomFormula(text_of(Formula::kMandelbrot, 2), "the scene");
  MandelbrotConfig config{.set = set};
  EXPECT_NO_THROW(validate(config));  // it can be shown and edited
  EXPECT_THROW(engine_->compute(config, {{}, 16, 16}), InputError);
  config.set.custom = CustomFormula(set.custom.text());
  EXPECT_NO_THROW(engine_->compute(config, {{}, 16, 16}));
}

}  // namespace
}  // namespace loom
