#include "compute/mandelbrot/decimal_view.h"

#include <gtest/gtest.h>

#include <cmath>

#include "compute/core/error.h"
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
  EXPECT_NE(said("-0.75", "1").find("RE,IM"), std::string::npos);
  EXPECT_NE(said("-0.75,0.1,3", "1").find("RE,IM"), std::string::npos);
  EXPECT_NE(said("x,0", "1").find("decimal number"), std::string::npos);
  EXPECT_NE(said("0,1e9", "1").find("-1000000 to 1000000"), std::string::npos);
  for (const char* width : {"0", "-1", "1e7", "1e-10000001", "1e-99999999"})
    EXPECT_NE(said("0,0", width).find("1e-10000000 to 1e6"), std::string::npos) << width;
  EXPECT_NE(said("0,0", "1e-9999999999").find("exponent"), std::string::npos);
  EXPECT_EQ(said(("0," + std::string(100000, '1') + "x").c_str(), "1").find('\n'), std::string::npos);
  EXPECT_LT(said(("0," + std::string(100000, '1') + "x").c_str(), "1").size(), 200u) << "long texts are cut";
}

TEST(DecimalView, RoundsNumbersOfAnySize) {
  const FloatExp<double> tiny = rounded_decimal("1.5e-100000");
  EXPECT_NEAR((tiny.exponent + std::log2(tiny.mantissa)) * std::log10(2.0), -100000 + std::log10(1.5), 1e-6);
  EXPECT_EQ(rounded_decimal("-0.75").value(), -0.75);
  EXPECT_EQ(decimal_text(tiny), "1.50000e-100000");
  EXPECT_EQ(decimal_text(rounded_decimal("0")), "0.00000e+00");
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
  EXPECT_EQ(right.re, "-0.7499999999999999999999999999999999999999999999999975");
  EXPECT_EQ(right.im, "0.099999999999999999999999999999999999999999999999995");
  const DecimalView back = moved(right, -0.25, 0.5);
  EXPECT_EQ(back.re, "-0.75");
}

TEST(DecimalView, OffsetsAreInWidths) {
  const DecimalView view{"-0.75", "0.1", "1e-500"};
  const DecimalView next = moved(view, 0.25, -3, 0.5);
  EXPECT_EQ(next.width, "5e-501");
  const DecimalOffset offset = offset_between(view, next);
  EXPECT_DOUBLE_EQ(offset.right, 0.25);
  EXPECT_DOUBLE_EQ(offset.down, -3);
  EXPECT_DOUBLE_EQ(offset.scale, 0.5);
  const DecimalOffset far = offset_between(view, {"-0.5", "0.1", "2"});
  EXPECT_TRUE(std::isinf(far.right) && std::isinf(far.scale));
  EXPECT_EQ(far.down, 0);
  EXPECT_EQ(decimal_power("1e-500"), -500);
  EXPECT_EQ(shortened_decimal("1.23456e-1000", 3), "1.23e-1000");
}

TEST(DecimalView, ViewsAreEqualByTheirDigits) {
  const MandelbrotView a = make_decimal_view({"-0.75", "0.1", "1e-50"}, 16, 9);
  EXPECT_EQ(a, make_decimal_view({"-0.75", "0.1", "1e-50"}, 16, 9));
  EXPECT_FALSE(a == make_decimal_view({"-0.75", "0.1", "1e-51"}, 16, 9));
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
  EXPECT_NE(said(Precision::kDouble, deep).find("window"), std::string::npos);
  EXPECT_NE(said(Precision::kPerturbedDouble, {}).find("--center and --width"), std::string::npos);
}

}  // namespace
}  // namespace loom
