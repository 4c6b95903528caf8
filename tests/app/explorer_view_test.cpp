#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "app/workspaces/mandelbrot/scene/complex_view.h"
#include "app/workspaces/mandelbrot/scene/dwell_runner.h"
#include "app/workspaces/mandelbrot/scene/mandelbrot_settings.h"
#include "app/workspaces/mandelbrot/scene/mandelbrot_stats.h"
#include "compute/core/error.h"

namespace loom::app {
namespace {

constexpr glm::ivec2 kWindow{952, 630};

// The set lies in [-2, 0.4712] x [-1.1225, 1.1225].
TEST(ComplexView, TheDefaultHoldsAllOfTheSetWithAMargin) {
  for (const glm::ivec2 picture : {glm::ivec2{952, 630}, {400, 900}, {64, 64}, {1600, 200}, {1, 1}}) {
    const ComplexView view = default_view(picture);
    const glm::dvec2 low = point_at(view, picture, {0, 0});
    const glm::dvec2 high = point_at(view, picture, {picture.x, picture.y});
    EXPECT_LT(low.x, -2.05);
    EXPECT_GT(high.x, 0.52);
    EXPECT_LT(low.y, -1.17);
    EXPECT_GT(high.y, 1.17);
    EXPECT_TRUE(view.width < 2.7 || high.y < 1.25) << "the margin is not larger than necessary";
  }
}

TEST(ComplexView, ZoomKeepsThePointUnderTheCursor) {
  ComplexView view = default_view(kWindow);
  const glm::dvec2 point = point_at(view, kWindow, {700, 100});
  for (int i = 0; i < 300; ++i) {
    view = zoomed(view, kWindow, {700, 100}, 1.25, Precision::kDouble);
    const glm::dvec2 pixel = pixel_of(view, kWindow, point);
    // Near the limit of double precision a pixel is four ulps wide, and each step rounds the centre to one
    // ulp.
    const double allowed = precision_gauge(view, kWindow, Precision::kDouble).ulps > 256 ? 0.05 : 1;
    EXPECT_NEAR(pixel.x, 700, allowed) << i;
    EXPECT_NEAR(pixel.y, 100, allowed) << i;
  }
}

// c = centre + (dx + i dy) e^(i angle); what is done on the picture is done in its frame.
TEST(ComplexView, ATurnedViewIsMovedAsItIsSeen) {
  const double sine = 0.6018150231520483, cosine = 0.7986355100472928;  // of 37 degrees
  ComplexView view{{-0.5, 0.25}, 2, nullptr, 37};
  const double spacing = 2.0 / kWindow.x;
  const glm::dvec2 way = glm::dvec2(700, 100) - glm::dvec2(kWindow) / 2.0;
  const glm::dvec2 point = point_at(view, kWindow, {700, 100});
  EXPECT_NEAR(point.x, -0.5 + spacing * (way.x * cosine - way.y * sine), 1e-14);
  EXPECT_NEAR(point.y, 0.25 + spacing * (way.x * sine + way.y * cosine), 1e-14);
  const auto expect_at = [&](const ComplexView& of, glm::dvec2 pixel) {
    EXPECT_EQ(of.angle, 37);
    EXPECT_NEAR(pixel_of(of, kWindow, point).x, pixel.x, 1e-6);
    EXPECT_NEAR(pixel_of(of, kWindow, point).y, pixel.y, 1e-6);
  };
  for (const bool decimal : {false, true}) {
    if (decimal) view = complex_view(decimal_of(view), 37);
    expect_at(view, {700, 100});
    expect_at(zoomed(view, kWindow, {700, 100}, 8, Precision::kAuto), {700, 100});
    expect_at(panned(view, kWindow, {-50, 20}, Precision::kAuto), {650, 120});
    expect_at(boxed(view, kWindow, {650, 50}, {750, 150}, Precision::kAuto), glm::dvec2(kWindow) / 2.0);
    const ViewedPicture now{view, kWindow};
    const auto place = place_in(now, {panned(view, kWindow, {30, -40}, Precision::kAuto), kWindow});
    ASSERT_TRUE(place);
    EXPECT_EQ(place->corner, glm::ivec2(-30, 40));
    EXPECT_EQ(degrees_between(now, {turned(view, 370), kWindow}), 10);
    EXPECT_EQ(place_in(now, {turned(view, 90), kWindow})->corner, glm::ivec2(0));
  }
}

// Not visible by a hair, and visible by a hair, in a view that reaches to 2 with its corner alone.
TEST(ComplexView, ATurnedViewIsOutsideByItsOwnCorners) {
  const glm::ivec2 square(100);
  EXPECT_FALSE(is_outside({{2.5, 0}, 0.8, nullptr, 45}, square)) << "its corner is at 2.5 - 0.566";
  EXPECT_TRUE(is_outside({{2.5, 0}, 0.8}, square)) << "its side is at 2.1";
  EXPECT_TRUE(is_outside({{2.5, 0}, 0.7, nullptr, 45}, square)) << "2.005";
}

TEST(ComplexView, TheZoomStopsAndComesBack) {
  for (const Precision precision : kDirectPrecisions) {
    ComplexView view = default_view(kWindow);
    for (int i = 0; i < 400; ++i) view = zoomed(view, kWindow, {123, 456}, 1.25, precision);
    EXPECT_TRUE(fits_precision(view, kWindow, precision));
    EXPECT_EQ(precision_gauge(view, kWindow, precision).state, PrecisionState::kExhausted);
    EXPECT_EQ(zoomed(view, kWindow, {123, 456}, 1.25, precision), view) << "the view cannot zoom in further";
    const ComplexView moved = panned(view, kWindow, {50, 0}, precision);
    EXPECT_NE(moved.centre.x, view.centre.x) << "panning still works";
    const ComplexView out = zoomed(view, kWindow, {123, 456}, 0.5, precision);
    EXPECT_NEAR(out.width / view.width, 2, 1e-6) << "zooming out still works";
    for (int i = 0; i < 400; ++i) view = zoomed(view, kWindow, {10, 10}, 0.5, precision);
    EXPECT_EQ(view.width, 16);
  }
}

TEST(ComplexView, ZoomsToAnyDepthWithoutAStop) {
  const glm::dvec2 pixel{700, 100};
  const glm::dvec2 of_middle = (pixel - glm::dvec2(kWindow) / 2.0) / static_cast<double>(kWindow.x);
  ComplexView view = default_view(kWindow);
  std::vector<Precision> evaluators;
  for (int i = 0; i < 10400; ++i) {
    const ComplexView next = zoomed(view, kWindow, pixel, 1.25, Precision::kAuto);
    const DecimalOffset offset = offset_between(decimal_of(view), decimal_of(next));
    ASSERT_NEAR(offset.scale, 0.8, 1e-9) << i;
    // The rounding of a double centre is at most a sixty-fourth of a pixel.
    ASSERT_NEAR(offset.right, of_middle.x * 0.2, 0.02 / kWindow.x) << i;
    ASSERT_NEAR(offset.down, of_middle.y * 0.2, 0.02 / kWindow.x) << i;
    view = next;
    const Precision evaluator = evaluator_of(Precision::kAuto, view, kWindow);
    EXPECT_NE(precision_gauge(view, kWindow, evaluator).state, PrecisionState::kExhausted);
    if (evaluators.empty() || evaluators.back() != evaluator) evaluators.push_back(evaluator);
  }
  EXPECT_LT(view.decimal->width.power(), -1000);
  EXPECT_EQ(evaluators, (std::vector{Precision::kFloat, Precision::kDouble, Precision::kPerturbedDouble,
                                     Precision::kPerturbedWide}));
  for (int i = 0; i < 10500; ++i) view = zoomed(view, kWindow, pixel, 0.8, Precision::kAuto);
  EXPECT_EQ(view.width, 16) << "and back";
  EXPECT_EQ(evaluator_of(Precision::kAuto, view, kWindow), Precision::kFloat);
}

TEST(ComplexView, AShallowViewStaysOneOfDoubles) {
  ComplexView automatic = default_view(kWindow);
  ComplexView chosen = automatic;
  for (int i = 0; i < 100; ++i) {
    automatic = zoomed(automatic, kWindow, {700, 100}, 1.25, Precision::kAuto);
    chosen = zoomed(chosen, kWindow, {700, 100}, 1.25, Precision::kDouble);
    ASSERT_EQ(automatic, chosen);
    ASSERT_EQ(mandelbrot_view(automatic, kWindow, Precision::kFloat).decimal, nullptr);
  }
}

TEST(ComplexView, AChosenPrecisionStopsWhereItEnds) {
  const ComplexView start = typed_view({"-2", "0", "1e-280"});
  ComplexView view = start;
  for (int i = 0; i < 200; ++i) view = zoomed(view, kWindow, {476, 306}, 1.25, Precision::kPerturbedDouble);
  EXPECT_EQ(view.decimal->width.power(), -289);
  EXPECT_TRUE(fits_precision(view, kWindow, Precision::kPerturbedDouble));
  EXPECT_FALSE(fits_precision(start, kWindow, Precision::kPerturbedFloat));
  EXPECT_FALSE(fits_precision(start, kWindow, Precision::kDouble));
  EXPECT_TRUE(fits_precision(start, kWindow, Precision::kPerturbedWideFloat));
}

TEST(ComplexView, TheZoomEndsAtTheSmallestWidth) {
  ComplexView view = typed_view({"-0.7" + std::string(100'000, '1'), "0.1", "2e-1000000"});
  EXPECT_FALSE(is_narrowest(view, kWindow, Precision::kAuto));
  for (int i = 0; i < 5; ++i) view = zoomed(view, kWindow, {700, 100}, 1.25, Precision::kAuto);
  EXPECT_EQ(decimal_of(view).width.text(), "1e-1000000");
  EXPECT_TRUE(is_narrowest(view, kWindow, Precision::kAuto));
  EXPECT_TRUE(fits_precision(view, kWindow, Precision::kAuto));
  EXPECT_NEAR(precision_gauge(view, kWindow, Precision::kAuto).octaves_left, 0, 1e-6);
  EXPECT_EQ(zoomed(view, kWindow, {700, 100}, 1.25, Precision::kAuto), view);
  EXPECT_EQ(decimal_of(boxed(view, kWindow, {0, 0}, {100, 100}, Precision::kAuto)).width.text(),
            "1e-1000000");
  EXPECT_FALSE(is_narrowest(zoomed(view, kWindow, {1, 1}, 0.5, Precision::kAuto), kWindow, Precision::kAuto));
  EXPECT_EQ(typed_view({"-2", "0", "1e-1000000"}).decimal->width, "1e-1000000");
  EXPECT_THROW(typed_view({"-2", "0", "9e-1000001"}), InputError);
}

TEST(ComplexView, ADeepPictureLiesWhereItsPointsAre) {
  const ViewedPicture now{typed_view({"-1.75", "1e-300", "1e-500"}), kWindow};
  EXPECT_EQ(place_in(now, now), (render::Rect<int>{{0, 0}, kWindow}));
  const ViewedPicture moved{panned(now.view, kWindow, {30, -20}, Precision::kAuto), kWindow};
  EXPECT_EQ(place_in(moved, now), (render::Rect<int>{{30, -20}, kWindow}));
  const ViewedPicture nearer{zoomed(now.view, kWindow, {100, 200}, 2, Precision::kAuto), kWindow};
  EXPECT_EQ(place_in(nearer, now), (render::Rect<int>{{-100, -200}, {2 * kWindow.x, 2 * kWindow.y}}));
  const ViewedPicture box{boxed(now.view, kWindow, {0, 0}, {476, 315}, Precision::kAuto), kWindow};
  EXPECT_EQ(place_in(box, now), (render::Rect<int>{{0, 0}, {2 * kWindow.x, 2 * kWindow.y}}));
  EXPECT_FALSE(place_in(now, {default_view(kWindow), kWindow})) << "larger by more than 2^31";
  EXPECT_FALSE(place_in({default_view(kWindow), kWindow}, now)) << "smaller than a pixel";
  EXPECT_FALSE(place_in(now, {typed_view({"-1.75", "0", "1e-500"}), kWindow})) << "10^200 widths away";
}

TEST(ComplexView, ATypedPlaceKeepsItsDigits) {
  const std::string re = "-1.76877883300123456789012345678901234567";
  const ComplexView deep = typed_view({re, "-0.0017389", "1.5e-30"});
  ASSERT_TRUE(deep.decimal);
  EXPECT_EQ(decimal_of(deep).re.text(), re);
  EXPECT_EQ(zoomed(deep, kWindow, glm::dvec2(kWindow) / 2.0, 1.25, Precision::kAuto).decimal->re, re);
  EXPECT_EQ(typed_view({"-0.75", "0.10", "3e-2"}), (ComplexView{{-0.75, 0.1}, 0.03}));
  EXPECT_TRUE(typed_view({re, "0", "0.5"}).decimal) << "for a zoom that follows";
  for (const char* bad : {"", "x", "1,5", "nan", "1e999999999999"}) {
    EXPECT_THROW(typed_view({bad, "0", "1"}), InputError) << bad;
    EXPECT_THROW(typed_view({"0", bad, "1"}), InputError) << bad;
    EXPECT_THROW(typed_view({"0", "0", bad}), InputError) << bad;
  }
  EXPECT_THROW(typed_view({"0", "0", "-1"}), InputError);
  EXPECT_THROW(typed_view({"0", "0", "0"}), InputError);
}

TEST(MinibrotSearch, FindsTheComponentInTheView) {
  MinibrotSearch search;
  search.start({{-1.755, 0.0001}, 0.1}, kWindow, 512);
  EXPECT_TRUE(search.running());
  const auto outcome = search.poll(kNoTimeout);
  ASSERT_TRUE(outcome && outcome->result && *outcome->result);
  ASSERT_TRUE(search.found());
  EXPECT_EQ(search.found()->period, 3u);
  EXPECT_NEAR(search.found()->view.centre.x, -1.7548776662466927, 1e-12);
  EXPECT_NEAR(search.found()->view.width, 4 * 0.019, 0.02);
  search.start({{-0.1, 0.1}, 1e-3}, kWindow, 3);
  const auto none = search.poll(kNoTimeout);
  ASSERT_TRUE(none && none->result);
  EXPECT_FALSE(*none->result) << "no period up to 3 in this view";
}

TEST(ComplexView, ADeepImageHasTheSameCentreAtAnyResolution) {
  const ComplexView view = typed_view({"-1.75", "1e-300", "1e-500"});
  for (const int divisor : {1, 8}) {
    const MandelbrotView image = mandelbrot_view(view, kWindow, Precision::kPerturbedWide, divisor);
    ASSERT_TRUE(image.decimal);
    EXPECT_EQ(*image.decimal, *view.decimal);
    EXPECT_EQ(image.width, static_cast<std::uint32_t>(952 / divisor));
  }
}

TEST(MandelbrotSettings, TheDwellLimitFollowsTheDepthUnlessChosen) {
  EXPECT_EQ(depth_dwell_limit(default_view(kWindow)), 512u);
  EXPECT_EQ(depth_dwell_limit({{0, 0}, 16}), 512u);
  EXPECT_EQ(depth_dwell_limit({{0, 0}, 1}), 1024u);
  EXPECT_EQ(depth_dwell_limit(typed_view({"0", "0", "1e-1000"})), 512u * 3324);
  EXPECT_EQ(depth_dwell_limit(typed_view({"0", "0", "1e-999999"})), 512u * 3321927);
  MandelbrotSettings settings;
  settings.config.dwell_limit = 77;
  const ComplexView deep = typed_view({"-2", "0", "1e-20"});
  EXPECT_EQ(config_for(settings, deep, kWindow).dwell_limit, depth_dwell_limit(deep));
  EXPECT_EQ(config_for(settings, deep, kWindow).precision, Precision::kPerturbedDouble);
  settings.dwell_by_depth = false;
  EXPECT_EQ(config_for(settings, deep, kWindow).dwell_limit, 77u);
}

TEST(ComplexView, APictureLiesWhereItsPointsAre) {
  const ViewedPicture now{{{-0.75, 0.1}, 0.02}, kWindow};
  EXPECT_EQ(place_in(now, now), (render::Rect<int>{{0, 0}, kWindow}));
  const ViewedPicture moved{panned(now.view, kWindow, {30, -20}, Precision::kDouble), kWindow};
  EXPECT_EQ(place_in(moved, now), (render::Rect<int>{{30, -20}, kWindow}));
  // Zooming by 2 around a pixel keeps that pixel in place.
  const ViewedPicture nearer{zoomed(now.view, kWindow, {100, 200}, 2, Precision::kDouble), kWindow};
  EXPECT_EQ(place_in(nearer, now), (render::Rect<int>{{-100, -200}, {2 * kWindow.x, 2 * kWindow.y}}));
  EXPECT_EQ(place_in(now, nearer), (render::Rect<int>{{50, 100}, {kWindow.x / 2, kWindow.y / 2}}));
  // A window of another size shows the same width of the complex plane.
  const ViewedPicture wider{now.view, {2 * kWindow.x, 700}};
  EXPECT_EQ(place_in(wider, now), (render::Rect<int>{{0, 350 - kWindow.y}, {2 * kWindow.x, 2 * kWindow.y}}));
  // Near the limit of double precision the centre itself is only known to a few hundredths of a pixel.
  const ViewedPicture deep{{{-0.7436438870371587, 0.13182590420531197}, 4e-12}, kWindow};
  const ViewedPicture beside{panned(deep.view, kWindow, {11, 7}, Precision::kDouble), kWindow};
  EXPECT_EQ(place_in(beside, deep), (render::Rect<int>{{11, 7}, kWindow}));
}

TEST(ComplexView, WhatIsNotInThePictureHasNoPlaceInIt) {
  const ViewedPicture now{{{-0.75, 0.1}, 0.02}, kWindow};
  EXPECT_FALSE(place_in(now, {{{0.25, 0.5}, 0.02}, kWindow})) << "outside the view";
  EXPECT_FALSE(place_in(now, {{{-0.75, 0.1}, 2e-6}, kWindow})) << "smaller than a pixel";
  EXPECT_TRUE(place_in(now, {{{-0.75, 0.1}, 8}, kWindow})) << "400 times as large";
  EXPECT_FALSE(place_in({{{-0.75, 0.1}, 2e-6}, kWindow}, now)) << "10 000 times as large";
}

// Neighbouring pixels of an allowed view have different coordinates in the engine's arithmetic.
TEST(ComplexView, NeighbouringPixelsDifferAtTheEndOfFloat) {
  ComplexView view{{-1.7548776662, 0.01}, 0.01};
  for (int i = 0; i < 200; ++i) view = zoomed(view, kWindow, {476, 315}, 1.25, Precision::kFloat);
  const MandelbrotView image = mandelbrot_view(view, kWindow, Precision::kDouble);
  const double spacing = (image.window.re_max - image.window.re_min) / image.width;
  float before = static_cast<float>(image.window.re_min);
  for (std::uint32_t x = 1; x < image.width; ++x) {
    const float here = static_cast<float>(image.window.re_min + x * spacing);
    ASSERT_GT(here, before) << x;
    before = here;
  }
}

TEST(ComplexView, PanAndBox) {
  const ComplexView view{{0.25, -0.5}, 952};
  const ComplexView wide = clamped(view, kWindow, Precision::kFloat);
  EXPECT_EQ(wide.width, 16) << "the maximum width";
  const ComplexView start{{0, 0}, 0.952};
  const ComplexView moved = panned(start, kWindow, {100, -50}, Precision::kFloat);
  EXPECT_DOUBLE_EQ(moved.centre.x, -0.1);
  EXPECT_DOUBLE_EQ(moved.centre.y, 0.05);
  const ComplexView box = boxed(start, kWindow, {100, 200}, {576, 220}, Precision::kFloat);
  EXPECT_DOUBLE_EQ(box.width, 0.476);
  EXPECT_DOUBLE_EQ(box.centre.x, (338 - 476) * 0.001);
  EXPECT_DOUBLE_EQ(box.centre.y, (210 - 315) * 0.001);
  EXPECT_EQ(boxed(start, kWindow, {10, 10}, {12, 200}, Precision::kFloat), start) << "the box is too narrow";
}

TEST(ComplexView, NumbersThatAreNoneBecomeTheDefault) {
  EXPECT_EQ(clamped({{NAN, 0}, 1}, kWindow, Precision::kDouble), default_view(kWindow));
  EXPECT_EQ(clamped({{0, 0}, INFINITY}, kWindow, Precision::kDouble), default_view(kWindow));
}

TEST(ComplexView, NothingIsSeenBeyondTheCircleOfRadiusTwo) {
  EXPECT_FALSE(is_outside(default_view(kWindow), kWindow));
  EXPECT_FALSE(is_outside({{-1.999, 0}, 1e-6}, kWindow));
  EXPECT_FALSE(is_outside({{4, 0}, 4.01}, kWindow)) << "the left edge is inside the circle";
  EXPECT_TRUE(is_outside({{4, 0}, 3.99}, kWindow));
  EXPECT_TRUE(is_outside({{1.6, 1.6}, 0.1}, kWindow)) << "inside the bounding square, outside the circle";
  EXPECT_TRUE(is_outside({{0, -3}, 1}, kWindow));
}

TEST(ComplexView, ACoarseImageCoversTheSameWindow) {
  const ComplexView view = default_view(kWindow);
  const MandelbrotView fine = mandelbrot_view(view, kWindow, Precision::kDouble);
  const MandelbrotView coarse = mandelbrot_view(view, kWindow, Precision::kDouble, 8);
  EXPECT_EQ(fine.width, 952u);
  EXPECT_EQ(coarse.width, 119u);
  EXPECT_EQ(coarse.height, 79u);
  EXPECT_EQ(coarse.window, fine.window);
}

TEST(PrecisionGauge, WarnsBeforeTheEnd) {
  ComplexView view{{-0.75, 0.1}, 1};
  bool warned = false;
  for (int i = 0; i < 60; ++i) {
    const PrecisionState state = precision_gauge(view, kWindow, Precision::kFloat).state;
    if (state == PrecisionState::kLow) warned = true;
    if (state == PrecisionState::kExhausted) {
      EXPECT_TRUE(warned) << "the warning comes before the limit";
      EXPECT_TRUE(fits_precision(view, kWindow, Precision::kDouble)) << "double allows a deeper zoom";
      return;
    }
    view = zoomed(view, kWindow, {476, 315}, 1.5, Precision::kFloat);
  }
  FAIL() << "float precision was never exhausted";
}

TEST(PrecisionGauge, RoomIsWhatIsLeft) {
  ComplexView view = default_view(kWindow);
  double remaining = precision_gauge(view, kWindow, Precision::kFloat).remaining;
  EXPECT_GT(remaining, 0.9) << "the default view has nearly all precision left";
  EXPECT_LE(remaining, 1);
  for (int i = 0; i < 40; ++i) {
    view = zoomed(view, kWindow, {476, 315}, 1.5, Precision::kFloat);
    const PrecisionGauge gauge = precision_gauge(view, kWindow, Precision::kFloat);
    EXPECT_LE(gauge.remaining, remaining) << "a deeper zoom has less precision left";
    remaining = gauge.remaining;
    EXPECT_GT(precision_gauge(view, kWindow, Precision::kDouble).remaining, remaining)
        << "double has more precision left";
  }
  EXPECT_LT(remaining, 0.05) << "almost none is left at the zoom limit";
}

TEST(PrecisionGauge, AnUlpIsTheDistanceToTheNextNumber) {
  EXPECT_EQ(coordinate_ulp({{-0.75, 0.1}, 1}, Precision::kFloat), std::ldexp(1.0, -24));
  EXPECT_EQ(coordinate_ulp({{-0.75, 1.5}, 1}, Precision::kDouble), std::ldexp(1.0, -52));
}

TEST(ViewHistory, HoldsHundredsOfViews) {
  ViewHistory history({{0, 0}, 1});
  for (int i = 1; i <= 300; ++i) history.go({{0, 0}, 1.0 / i + 1});
  EXPECT_EQ(history.views_behind(), 300u);
  for (int i = 0; i < 300; ++i) EXPECT_TRUE(history.back());
  EXPECT_FALSE(history.back());
  EXPECT_EQ(history.present(), (ComplexView{{0, 0}, 1}));
  for (int i = 0; i < 300; ++i) EXPECT_TRUE(history.forward());
  EXPECT_FALSE(history.forward());
}

TEST(ViewHistory, StepsBackToAViewOfBefore) {
  ViewHistory history({{0, 0}, 4});
  for (const double width : {3, 4, 2, 1}) history.go({{0, 0}, width});
  EXPECT_EQ(history.steps_back_to({{0, 0}, 4}), 2u) << "the latest visit";
  EXPECT_EQ(history.steps_back_to({{0, 0}, 3}), 3u);
  EXPECT_EQ(history.steps_back_to({{0, 0}, 1}), 0u) << "the present one is none of before";
  EXPECT_EQ(history.steps_back_to({{0, 0}, 7}), 0u);
}

TEST(ViewHistory, AFittedViewFollowsThePicture) {
  ViewHistory history;
  history.resize({1280, 700});
  EXPECT_EQ(history.present(), default_view({1280, 700}));
  EXPECT_TRUE(history.fitted());
  history.go({{0, 0}, 1});
  EXPECT_FALSE(history.fitted());
  history.resize({400, 900});
  EXPECT_EQ(history.present(), (ComplexView{{0, 0}, 1}));
  history.back();
  EXPECT_EQ(history.present(), default_view({400, 900}));
  history.forward();
  history.fit({400, 900});
  EXPECT_EQ(history.views_behind(), 2u);
  history.fit({400, 900});
  EXPECT_EQ(history.views_behind(), 2u) << "the view is already fitted";
  history.resize({64, 64});
  EXPECT_EQ(history.present(), default_view({64, 64}));
}

TEST(ViewHistory, KeepsTheLast) {
  ViewHistory history({{0, 0}, 1});
  for (std::size_t i = 0; i < ViewHistory::kMaxViews + 5; ++i)
    history.go({{0, 0}, static_cast<double>(i) + 2});
  EXPECT_EQ(history.views_behind(), ViewHistory::kMaxViews - 1);
  EXPECT_EQ(history.present().width, static_cast<double>(ViewHistory::kMaxViews + 6));
}

TEST(ViewHistory, AGestureIsOneStep) {
  ViewHistory history({{0, 0}, 4});
  history.go({{0, 0}, 3});
  history.go({{0, 0}, 2}, true);
  history.go({{0, 0}, 1}, true);
  EXPECT_TRUE(history.back());
  EXPECT_EQ(history.present().width, 4);
  history.go({{0, 0}, 9});
  EXPECT_EQ(history.views_ahead(), 0u) << "a new view discards the views ahead";
}

TEST(ViewHistory, AViewThatCannotBeShownIsReplaced) {
  const ComplexView first{{0, 0}, 1};
  const ComplexView shown{{0, 0}, 0.5};
  const ComplexView refused{{0, 0}, 0.25};
  ViewHistory history(first);
  history.go(refused);
  history.replace_present(first);
  EXPECT_EQ(history.present(), first);
  EXPECT_EQ(history.views_behind() + history.views_ahead(), 0u) << "no second one";
  history.go(shown);
  history.go(refused, true);
  history.replace_present(shown);
  EXPECT_EQ(history.present(), shown);
  EXPECT_EQ(history.views_behind(), 1u);
}

TEST(ViewHistory, TheFirstViewStaysWhateverTheGesture) {
  ViewHistory history({{0, 0}, 4});
  history.go({{0, 0}, 3}, true);
  EXPECT_TRUE(history.back());
  EXPECT_EQ(history.present().width, 4);
}

TEST(Autopilot, AimsAtThePixelsThatDiffer) {
  const glm::ivec2 size{96, 48};
  std::vector<std::uint32_t> dwells(96 * 48, 7);
  EXPECT_FALSE(most_detail(dwells, size));
  for (int y = 30; y < 36; ++y) {
    for (int x = 60; x < 70; ++x)
      dwells[static_cast<std::size_t>(96 * y + x)] = static_cast<std::uint32_t>(x * y);
  }
  const auto found = most_detail(dwells, size);
  ASSERT_TRUE(found);
  EXPECT_NEAR(found->x, 65, 6);
  EXPECT_NEAR(found->y, 33, 4);
}

TEST(Autopilot, ZoomsTowardsTheBoundaryAndStopsWhenTheViewIsMoved) {
  const glm::ivec2 picture{64, 40};
  DwellRunner runner;
  runner.use_backend({{}, "test"});
  Autopilot pilot;
  ComplexView view = default_view(picture);
  std::string_view stopped;
  EXPECT_FALSE(pilot.advance(view, picture, runner, 0.1, Precision::kAuto, stopped)) << "it is off";
  pilot.start();
  for (int frame = 0; frame < 400; ++frame) {
    DwellRequest request{.config = config_for({}, view, picture), .view = view, .picture = picture};
    runner.advance(request);
    if (const auto next = pilot.advance(view, picture, runner, 0.1, Precision::kAuto, stopped)) view = *next;
  }
  EXPECT_LT(view.width, 0.1);
  EXPECT_TRUE(pilot.running());
  // The picture is not of one colour: the boundary is in it.
  EXPECT_TRUE(
      std::ranges::count_if(runner.histogram().counts, [](std::uint64_t count) { return count > 0; }) > 1);
  EXPECT_EQ(stopped, "");
  EXPECT_FALSE(pilot.advance(default_view(picture), picture, runner, 0.1, Precision::kAuto, stopped));
  EXPECT_FALSE(pilot.running()) << "the user has moved the view";
  EXPECT_EQ(stopped, "the view was moved");
}

TEST(Autopilot, StopsWhereAPictureHasOneDwell) {
  const glm::ivec2 picture{64, 40};
  DwellRunner runner;
  runner.use_backend({{}, "test"});
  const ComplexView inside{{-0.1, 0}, 0.01};
  Autopilot pilot;
  pilot.start();
  std::string_view stopped;
  for (int frame = 0; frame < 100 && pilot.running(); ++frame) {
    runner.advance({.config = config_for({}, inside, picture), .view = inside, .picture = picture});
    EXPECT_FALSE(pilot.advance(inside, picture, runner, 0.1, Precision::kAuto, stopped));
  }
  EXPECT_FALSE(pilot.running());
  EXPECT_EQ(stopped, "there is no detail in this view");
}

TEST(ExplorerView, OtherSetsHaveTheirWholeViewsAndEndAtDouble) {
  const EscapeTimeSet tricorn{Formula::kTricorn, 3, std::nullopt};
  EXPECT_EQ(default_view(kWindow, tricorn).centre.x, -0.25);
  EXPECT_EQ(default_view(kWindow, {Formula::kTricorn, 3, JuliaPoint{-0.1, 0.2}}).centre, glm::dvec2(0));
  EXPECT_EQ(default_view(kWindow, {Formula::kMultibrot, 2, std::nullopt}), default_view(kWindow));
  const ComplexView deep = complex_view({"-0.1", "0.2", "1e-30"});
  EXPECT_EQ(evaluator_of(Precision::kAuto, deep, kWindow), Precision::kPerturbedDouble);
  EXPECT_EQ(evaluator_of(Precision::kAuto, deep, kWindow, {.formula = Formula::kTricorn}),
            Precision::kDouble);
  EXPECT_EQ(evaluator_of(Precision::kAuto, default_view(kWindow), kWindow, {.formula = Formula::kTricorn}),
            Precision::kFloat);
  EXPECT_EQ(limiting_precision({.precision = Precision::kAuto}), Precision::kAuto);
  EXPECT_EQ(limiting_precision({.set = tricorn, .precision = Precision::kAuto}), Precision::kDouble);
  EXPECT_FALSE(
      fits_precision(deep, kWindow, limiting_precision({.set = tricorn, .precision = Precision::kAuto})));
}

TEST(Orbit, OfOtherSets) {
  const auto ship = orbit_of({Formula::kBurningShip, 3, std::nullopt}, {-1, -1}, 10, 10);
  EXPECT_EQ(ship.at(1), (glm::dvec2{-1, 1})) << "(1 + i)^2 - 1 - i";
  const auto julia = orbit_of({Formula::kMultibrot, 3, JuliaPoint{0.5, 0}}, {0, 1}, 10, 10);
  EXPECT_EQ(julia.at(1), (glm::dvec2{0.5, -1})) << "i^3 + 0.5";
}

TEST(Orbit, EndsWhereItEscapes) {
  const auto orbit = orbit_of({}, {1, 0}, 512, 100);  // the orbit is 1, 2
  ASSERT_EQ(orbit.size(), 2u);
  EXPECT_EQ(orbit[1], (glm::dvec2{2, 0}));
  EXPECT_EQ(orbit_of({}, {-1, 0}, 512, 100).size(), 100u) << "a periodic orbit never escapes";
  EXPECT_EQ(orbit_of({}, {-1, 0}, 7, 100).size(), 8u);
}

TEST(LevelAnimation, StepsAndPlays) {
  LevelAnimation levels;
  levels.update(0, 4);
  EXPECT_EQ(levels.shown(), std::nullopt);
  levels.step(+1);
  EXPECT_EQ(levels.shown(), 0);
  for (int i = 0; i < 9; ++i) levels.step(+1);
  EXPECT_EQ(levels.shown(), 3) << "stops at the last level";
  levels.show_all();
  levels.step(-1);
  EXPECT_EQ(levels.shown(), 3) << "stepping back from all levels shows the last one";
  levels.toggle_playing();
  EXPECT_EQ(levels.shown(), 0);
  levels.update(10, 4);
  levels.update(10.5, 4);
  EXPECT_EQ(levels.shown(), 0);
  levels.update(11, 4);
  EXPECT_EQ(levels.shown(), 1);
  levels.update(12, 2);
  EXPECT_EQ(levels.shown(), 0) << "the first level follows the last";
}

}  // namespace
}  // namespace loom::app
