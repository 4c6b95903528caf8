#include "compute/mandelbrot/decimal_view.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>

#include "compute/core/error.h"
#include "compute/mandelbrot/big_real.h"
#include "compute/mandelbrot/mandelbrot_config.h"

namespace loom {
namespace {

TEST(DecimalView, TellsNumbersFromText) {
  for (const char* text : {"0", "-1", "+2.5", ".5", "5.", "1e5", "-1.25E-10000", "0.000e+3"})
    EXPECT_TRUE(is_decimal(text)) << text;
  for (const char* text :
       {"", "-", ".", "e5", "1e", "1e+", "1.2.3", "0x10", "nan", "inf", "1 ", "1,2", "--1"})
    EXPECT_FALSE(is_decimal(text)) << text;
}

TEST(DecimalView, RefusesWhatItCannotHold) {
  const auto said = [](const char* center, const char* width) -> std::string {
    try {
      parse_decimal_view(center, width);
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(said("-0.75,0.1", "1e-10000"), "");
  EXPECT_EQ(said("-2,0", "3"), "");
  EXPECT_EQ(said("-2,0", "1e-1000000"), "");
  EXPECT_EQ(said("-2,0", ("0." + std::string(999'999, '0') + "1").c_str()), "");
  EXPECT_NE(said("-0.75", "1").find("RE,IM"), std::string::npos);
  EXPECT_NE(said("-0.75,0.1,3", "1").find("RE,IM"), std::string::npos);
  EXPECT_NE(said("x,0", "1").find("decimal number"), std::string::npos);
  EXPECT_NE(said("0,1e9", "1").find("-1000000 to 1000000"), std::string::npos);
  for (const char* width : {"0", "-1", "1e7", "9.999e-1000001", "4e-9000000", "1e-99999999"})
    EXPECT_NE(said("0,0", width).find("1e-1000000 to 1e6"), std::string::npos) << width;
  EXPECT_NE(said("0,0", "1e-9999999999").find("exponent"), std::string::npos);
  EXPECT_EQ(said(("0," + std::string(100000, '1') + "x").c_str(), "1").find('\n'), std::string::npos);
  EXPECT_LT(said(("0," + std::string(100000, '1') + "x").c_str(), "1").size(), 200u) << "long texts are cut";
}

TEST(DecimalView, RoundsNumbersOfAnySize) {
  const FloatExp<double> tiny = Decimal("1.5e-100000").rounded();
  EXPECT_NEAR((tiny.exponent + std::log2(tiny.mantissa)) * std::log10(2.0), -100000 + std::log10(1.5), 1e-6);
  EXPECT_EQ(Decimal("-0.75").rounded().value(), -0.75);
  EXPECT_EQ(decimal_text(tiny), "1.50000e-100000");
  EXPECT_EQ(decimal_text(Decimal("0").rounded()), "0.00000e+00");
}

TEST(DecimalView, TheDefaultDwellLimitGrowsWithTheDepth) {
  EXPECT_EQ(default_dwell_limit("4"), 512u);
  EXPECT_EQ(default_dwell_limit("100"), 512u);
  EXPECT_EQ(default_dwell_limit("2"), 1024u);
  EXPECT_EQ(default_dwell_limit("1e-50"), 512u * 170);
  EXPECT_EQ(default_dwell_limit("1e-9999999"), 0x7fffffffu);
}

TEST(DecimalView, MovesItsCentreExactly) {
  const DecimalView view{"-0.75", "0.1", "1e-50"};
  const DecimalView right = moved(view, 0.25, -0.5);
  EXPECT_EQ(digits_of(right).re, "-0.7499999999999999999999999999999999999999999999999975");
  EXPECT_EQ(digits_of(right).im, "0.099999999999999999999999999999999999999999999999995");
  const DecimalView back = moved(right, -0.25, 0.5);
  EXPECT_EQ(back, view);
  EXPECT_EQ(digits_of(back).re, "-0.75") << "as it was given";
}

// A step changes the digits at the depth of the view, and no others.
TEST(DecimalView, MovesAMillionDigits) {
  std::string re = "-0.";
  for (int i = 0; i < 100'000; ++i) re += "1428570999";
  const std::string im = "0." + std::string(1'000'000, '9');
  const DecimalView view{re, im, "1e-1000000"};
  EXPECT_EQ(digits_of(moved(view, -0.25, 0)).re, re + "25");
  EXPECT_EQ(digits_of(moved(view, 1000, 0)).re, re.substr(0, re.size() - 10) + "1428569999");
  EXPECT_EQ(digits_of(moved(view, 0, 1)).im, "1");
  EXPECT_EQ(digits_of(moved(view, 0, 1.5)).im, "1." + std::string(1'000'000, '0') + "5");
  // The text of a wide view has no digits beyond its own; the way back in restores them.
  const DecimalView deep = moved(view, -0.25, 0);
  const double octaves = std::exp2(1000);  // 1.07e301
  const DecimalView wide = moved(deep, 0, 0, octaves);
  EXPECT_EQ(wide.width.power(), -999'699);
  EXPECT_EQ(digits_of(wide).re.size(), std::string("-0.").size() + 999'699 + 48);
  const DecimalView back = moved(moved(moved(wide, 0.5, 0), -0.5, 0), 0, 0, 1 / octaves);
  EXPECT_EQ(digits_of(back).re, re + "25");
}

TEST(DecimalView, OppositeStepsCancel) {
  const DecimalView view{"-1.76877883300123456789", "0.001", "2.5e-4000"};
  DecimalView now = view;
  for (int i = 1; i <= 14; ++i) now = moved(moved(now, 0.3 / i, -7e-3 * i), 0, 0, 0.5);
  EXPECT_FALSE(now.re == view.re || now.im == view.im);
  for (int i = 14; i >= 1; --i) now = moved(moved(now, 0, 0, 2), -0.3 / i, 7e-3 * i);
  EXPECT_EQ(now, view);
}

std::string random_decimal(std::mt19937_64& random) {
  std::string text = random() % 2 == 0 ? "-" : "";
  const auto digits = 1 + random() % 60;
  const auto point = random() % digits;
  for (std::size_t i = 0; i < digits; ++i) {
    if (i == point) text += '.';
    text += "0012345678999"[random() % 13];
  }
  return random() % 2 == 0 ? text : text + "e" + std::to_string(static_cast<int>(random() % 80) - 40);
}

// Sums, differences and roundings are those of MPFR with numbers that hold all of their digits.
TEST(Decimal, AgreesWithMpfr) {
  constexpr std::int64_t kBits = 2000;
  const auto expect_near = [](const std::string& text, const BigReal& exact) {
    BigReal error(text, kBits);
    mpfr_sub(error.get(), error.get(), exact.get(), MPFR_RNDN);
    if (mpfr_zero_p(error.get()) != 0) return;
    constexpr int kDigits = 32;
    EXPECT_LT(rounded(error.get()).exponent, rounded(exact.get()).exponent - kDigits * std::log2(10)) << text;
  };
  std::mt19937_64 random(48);
  for (int i = 0; i < 2000; ++i) {
    const std::string first = random_decimal(random);
    const std::string second = i % 4 == 0 ? first + "" : random_decimal(random);
    const std::string step = random_decimal(random);
    const std::int64_t lowest = static_cast<std::int64_t>(random() % 90) - 80;
    const Decimal sum = Decimal(first).plus(step);
    BigReal exact(first, kBits);
    expect_near(Decimal(first).leading(), exact);
    mpfr_add(exact.get(), exact.get(), BigReal(step, kBits).get(), MPFR_RNDN);
    expect_near(sum.leading(), exact);
    // The text is at most half a unit of 10^lowest away.
    BigReal error(sum.text(lowest), kBits);
    mpfr_sub(error.get(), error.get(), exact.get(), MPFR_RNDN);
    EXPECT_LE(mpfr_cmpabs(error.get(), BigReal(fmt::format("0.50000001e{}", lowest), kBits).get()), 0)
        << first << " + " << step << " is not " << sum.text(lowest) << ", " << lowest;
    mpfr_sub(exact.get(), exact.get(), BigReal(second, kBits).get(), MPFR_RNDN);
    expect_near(difference(sum, second), exact);
  }
}

TEST(Decimal, IsShortenedForTheScreen) {
  EXPECT_EQ(Decimal("-0.5000").shown(), "-0.5000");
  const std::string third = "0." + std::string(1'000'000, '3');
  EXPECT_EQ(Decimal(third).shown(), "0.333333333333333333333333333333... (1000000 digits)");
  const Decimal moved = Decimal(third).plus("1e-5");
  EXPECT_EQ(moved.shown(-20), "0.33334333333333333333");
  EXPECT_EQ(moved.shown(), "0.333343333333333333333333333333... (1000000 digits)");
  EXPECT_EQ(Decimal("0").plus("-12e-1000000").shown(), "-1.2e-999999");
}

TEST(DecimalView, OffsetsAreInWidths) {
  const DecimalView view{"-0.75", "0.1", "1e-500"};
  const DecimalView next = moved(view, 0.25, -3, 0.5);
  EXPECT_EQ(next.width.text(), "5e-501");
  const DecimalOffset offset = offset_between(view, next);
  EXPECT_DOUBLE_EQ(offset.right, 0.25);
  EXPECT_DOUBLE_EQ(offset.down, -3);
  EXPECT_DOUBLE_EQ(offset.scale, 0.5);
  const DecimalOffset far = offset_between(view, {"-0.5", "0.1", "2"});
  EXPECT_TRUE(std::isinf(far.right) && std::isinf(far.scale));
  EXPECT_EQ(far.down, 0);
  // 0.5000... and 0.4999... with a million digits of their own.
  const DecimalView high{"0.5" + std::string(999'999, '0'), "0", "1e-1000000"};
  const DecimalView low{"0.4" + std::string(999'999, '9'), "0", "4e-1000000"};
  EXPECT_EQ(offset_between(high, low).right, -1);
  EXPECT_EQ(offset_between(low, moved(high, 0.5, 0)).right, 0.375);
  EXPECT_EQ(offset_between(low, high).scale, 0.25);
  EXPECT_EQ(Decimal("1e-500").power(), -500);
  EXPECT_EQ(shortened_decimal("1.23456e-1000", 3), "1.23e-1000");
}

TEST(DecimalView, ViewsAreEqualByTheirDigits) {
  const MandelbrotView a = make_decimal_view({"-0.75", "0.1", "1e-50"}, 16, 9);
  EXPECT_EQ(a, make_decimal_view({"-0.75", "0.1", "1e-50"}, 16, 9));
  EXPECT_EQ(a, make_decimal_view({"-7.50e-1", "+.1", "10e-51"}, 16, 9));
  EXPECT_FALSE(a == make_decimal_view({"-0.75", "0.1", "1e-51"}, 16, 9));
  EXPECT_FALSE(a == make_decimal_view({"-0.75", "0.1000000000000000000000000000001", "1e-50"}, 16, 9));
  EXPECT_FALSE(a == (MandelbrotView{a.window, 16, 9}));
}

TEST(Precision, AutoIsTheCheapestThatIsExactEnough) {
  const auto of = [](const char* width) {
    return resolve_precision(Precision::kAuto, make_decimal_view({"-0.75", "0.1", width}, 1920, 1080));
  };
  EXPECT_EQ(of("1e-2"), Precision::kPerturbedDouble);
  EXPECT_EQ(of("1e-289"), Precision::kPerturbedDouble);
  EXPECT_EQ(of("1e-291"), Precision::kPerturbedWide);
  EXPECT_EQ(of("1e-10000"), Precision::kPerturbedWide);
  EXPECT_EQ(resolve_precision(Precision::kAuto, {{}, 1024, 1024}), Precision::kFloat);
  EXPECT_EQ(resolve_precision(Precision::kAuto, {{-0.75, -0.7499, 0.1, 0.1001}, 1024, 1024}),
            Precision::kDouble);
  EXPECT_EQ(resolve_precision(Precision::kFloat, make_decimal_view({}, 8, 8)), Precision::kFloat);
}

TEST(Precision, IsRefusedWhereTheViewIsTooDeep) {
  const auto said = [](Precision precision, const MandelbrotView& view) -> std::string {
    try {
      validate(view, precision);
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  const MandelbrotView deep = make_decimal_view({"-0.75", "0.1", "1e-300"}, 16, 9);
  EXPECT_EQ(said(Precision::kPerturbedWide, deep), "");
  EXPECT_EQ(said(Precision::kPerturbedWideFloat, deep), "");
  EXPECT_NE(said(Precision::kPerturbedDouble, deep).find("above 1e-290"), std::string::npos);
  EXPECT_NE(said(Precision::kPerturbedFloat, deep).find("above 1e-31"), std::string::npos);
  EXPECT_NE(said(Precision::kDouble, deep).find("width"), std::string::npos);
  EXPECT_NE(said(Precision::kPerturbedDouble, {}).find("--center and --width"), std::string::npos);
}

}  // namespace
}  // namespace loom
