#include <gtest/gtest.h>

#include <cmath>

#include "app/workspaces/mandelbrot/scene/level_animation.h"
#include "app/workspaces/mandelbrot/scene/orbit.h"
#include "app/workspaces/mandelbrot/scene/precision_gauge.h"
#include "app/workspaces/mandelbrot/scene/view_history.h"

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

TEST(ViewHistory, TheFirstViewStaysWhateverTheGesture) {
  ViewHistory history({{0, 0}, 4});
  history.go({{0, 0}, 3}, true);
  EXPECT_TRUE(history.back());
  EXPECT_EQ(history.present().width, 4);
}

TEST(Orbit, EndsWhereItEscapes) {
  const auto orbit = orbit_of({1, 0}, 512, 100);  // the orbit is 1, 2
  ASSERT_EQ(orbit.size(), 2u);
  EXPECT_EQ(orbit[1], (glm::dvec2{2, 0}));
  EXPECT_EQ(orbit_of({-1, 0}, 512, 100).size(), 100u) << "a periodic orbit never escapes";
  EXPECT_EQ(orbit_of({-1, 0}, 7, 100).size(), 8u);
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
