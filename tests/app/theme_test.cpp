#include "app/gui/theme.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <glm/mat3x3.hpp>
#include <string>
#include <vector>

#include "app/workspaces/life/scene/life_settings.h"
#include "imgui_frame.h"
#include "render/palette.h"

namespace loom::app {
namespace {

// WCAG 2.1, level AA: text, and large text or marks of controls.
constexpr float kTextContrast = 4.5f;
constexpr float kMarkContrast = 3.0f;
/// Least CIE 1976 distance in L*a*b* of two colours that only differ in meaning. 2.3 is a just noticeable
/// difference of adjacent areas; marks apart from each other need several times that.
constexpr float kMessageDistance = 15;
constexpr float kMapDistance = 30;

struct Pair {
  std::string name;
  glm::vec4 front;
  glm::vec4 back;
  float least;
};

glm::vec4 opaque(ImU32 colour) {
  glm::vec4 parts = ImGui::ColorConvertU32ToFloat4(colour);
  parts.a = 1;
  return parts;
}

std::vector<Pair> pairs_of(const theme::Colours& with) {
  std::vector<Pair> pairs;
  const auto text = [&](const char* name, const glm::vec4& front, const char* on, const glm::vec4& back) {
    pairs.push_back({std::string(name) + " on " + on, front, back, kTextContrast});
  };
  const auto mark = [&](const char* name, const glm::vec4& front, const char* on, const glm::vec4& back) {
    pairs.push_back({std::string(name) + " on " + on, front, back, kMarkContrast});
  };
  // Panels and messages; fields, buttons, popups and bars; what the mouse is over.
  const std::array<std::pair<const char*, glm::vec4>, 3> backs{
      {{"background", with.background}, {"raised", with.raised}, {"hover", with.hover}}};
  for (const auto& [on, back] : backs) {
    text("text", with.text, on, back);
    text("muted", with.muted, on, back);
    text("accent", with.accent, on, back);
    text("warning", with.warning, on, back);
    text("success", with.success, on, back);
    text("error", with.error, on, back);
  }
  text("text", with.text, "grab", with.grab);
  text("on_accent", with.on_accent, "accent", with.accent);
  text("text", with.text, "text_background", opaque(with.text_background));
  text("muted", with.muted, "text_background", opaque(with.text_background));
  mark("ring", opaque(with.ring), "background", with.background);
  mark("ring", opaque(with.ring), "raised", with.raised);
  mark("mark", opaque(with.mark), "background", with.background);
  mark("selection", with.selection, "background", with.background);
  for (const MapKind map : kMapKinds) {
    mark(label_of(map), colour_of(map), "background", with.background);
    text("text_on", theme::text_on(colour_of(map)), label_of(map), colour_of(map));
  }
  return pairs;
}

// Dichromacy of severity 1: Machado, Oliveira and Fernandes (2009), "A Physiologically-based Model for
// Simulation of Color Vision Deficiency", on linear RGB. Columns of GLM are rows here.
const glm::mat3 kDeuteranopia{0.367322f, 0.280085f,  -0.011820f, 0.860646f, 0.672501f,
                              0.042940f, -0.227968f, 0.047413f,  0.968881f};
const glm::mat3 kProtanopia{0.152286f,  0.114503f,  -0.003882f, 1.052583f, 0.786281f,
                            -0.048116f, -0.204868f, 0.099216f,  1.051998f};
constexpr glm::mat3 kUsualVision{1};

glm::vec3 lab_of(const glm::vec4& colour, const glm::mat3& vision) {
  glm::vec3 linear;
  for (int i = 0; i < 3; ++i)
    linear[i] = colour[i] <= 0.04045f ? colour[i] / 12.92f : std::pow((colour[i] + 0.055f) / 1.055f, 2.4f);
  const glm::mat3 to_xyz{0.4124564f, 0.2126729f, 0.0193339f, 0.3575761f, 0.7151522f,
                         0.1191920f, 0.1804375f, 0.0721750f, 0.9503041f};
  const glm::vec3 xyz = to_xyz * glm::clamp(vision * linear, 0.0f, 1.0f) / glm::vec3(0.95047f, 1, 1.08883f);
  const auto f = [](float t) { return t > 216.0f / 24389 ? std::cbrt(t) : (24389.0f / 27 * t + 16) / 116; };
  return {116 * f(xyz.y) - 16, 500 * (f(xyz.x) - f(xyz.y)), 200 * (f(xyz.y) - f(xyz.z))};
}

float least_distance(const std::array<glm::vec4, 3>& colours) {
  float least = 1e9f;
  for (const glm::mat3& vision : {kUsualVision, kDeuteranopia, kProtanopia}) {
    for (const auto& [a, b] : {std::pair(0u, 1u), std::pair(0u, 2u), std::pair(1u, 2u)})
      least = std::min(least, glm::distance(lab_of(colours[a], vision), lab_of(colours[b], vision)));
  }
  return least;
}

using ThemeTest = ImGuiTest;

TEST_F(ThemeTest, EveryTextAndMarkHasTheContrastOfWcagAA) {
  for (const Theme theme : kThemes) {
    theme::apply(kFontSize, theme);
    for (const Pair& pair : pairs_of(theme::colours()))
      EXPECT_GE(theme::contrast(pair.front, pair.back), pair.least) << name_of(theme) << ": " << pair.name;
    for (const MapKind map : kMapKinds) {
      const glm::vec4 bar = theme::behind_text(colour_of(map));
      EXPECT_GE(theme::contrast(theme::colours().text, bar), kTextContrast) << label_of(map);
      EXPECT_GE(theme::contrast(theme::colours().success, bar), kTextContrast) << label_of(map);
    }
  }
}

TEST_F(ThemeTest, TheStyleOfImGuiHasTheSameContrast) {
  for (const Theme theme : kThemes) {
    theme::apply(kFontSize, theme);
    const ImGuiStyle& style = ImGui::GetStyle();
    const auto of = [&](ImGuiCol colour) { return glm::vec4(style.Colors[colour]); };
    for (const ImGuiCol back :
         {ImGuiCol_WindowBg, ImGuiCol_PopupBg, ImGuiCol_FrameBg, ImGuiCol_FrameBgHovered,
          ImGuiCol_FrameBgActive, ImGuiCol_TitleBgActive, ImGuiCol_Button, ImGuiCol_ButtonHovered,
          ImGuiCol_Header, ImGuiCol_HeaderHovered, ImGuiCol_HeaderActive, ImGuiCol_MenuBarBg}) {
      for (const ImGuiCol front : {ImGuiCol_Text, ImGuiCol_TextDisabled}) {
        EXPECT_GE(theme::contrast(of(front), of(back)), kTextContrast)
            << name_of(theme) << ": " << ImGui::GetStyleColorName(front) << " on "
            << ImGui::GetStyleColorName(back);
      }
    }
    for (const ImGuiCol mark : {ImGuiCol_CheckMark, ImGuiCol_SliderGrabActive, ImGuiCol_NavHighlight})
      EXPECT_GE(theme::contrast(of(mark), of(ImGuiCol_FrameBg)), kMarkContrast)
          << name_of(theme) << ": " << ImGui::GetStyleColorName(mark);
  }
}

/// A translucent colour over an opaque one.
glm::vec4 over(ImU32 colour, const glm::vec4& back) {
  const glm::vec4 front = ImGui::ColorConvertU32ToFloat4(colour);
  return {glm::mix(glm::vec3(back), glm::vec3(front), front.a), 1};
}

TEST_F(ThemeTest, MarksOnThePictureAreVisibleWithEveryPalette) {
  for (const render::Palette& palette : render::palettes()) {
    const glm::vec4 hole(glm::vec3(palette.hole) / 255.0f, 1);
    const theme::Overlay& marks = theme::overlay(theme::is_light(palette.hole));
    const auto expect_visible = [&](const char* name, const glm::vec4& colour) {
      EXPECT_GE(theme::contrast(colour, hole), kMarkContrast) << palette.name << ": " << name;
    };
    expect_visible("active tile", over(marks.active_tile, hole));
    expect_visible("hatching", over(marks.empty_tile_hatch, over(marks.empty_tile, hole)));
    expect_visible("idle thread", over(marks.idle_thread, hole));
    expect_visible("selection", over(marks.selection, hole));
    expect_visible("warp", over(marks.warp, hole));
    expect_visible("hovered", over(marks.hovered, hole));
    EXPECT_GE(theme::contrast(over(marks.edge, hole), over(marks.selection, hole)), kMarkContrast)
        << palette.name;
  }
}

TEST_F(ThemeTest, TheSurroundingsOfAPictureFollowTheTheme) {
  const glm::u8vec3 dark{36, 38, 43};
  const glm::u8vec3 light{227, 228, 230};
  theme::apply(kFontSize, Theme::kDark);
  EXPECT_EQ(theme::surroundings(dark), dark) << "the palette's own colour, where it suits the theme";
  EXPECT_FALSE(theme::is_light(theme::surroundings(light)));
  theme::apply(kFontSize, Theme::kLight);
  EXPECT_EQ(theme::surroundings(light), light);
  EXPECT_TRUE(theme::is_light(theme::surroundings(dark)));
}

TEST_F(ThemeTest, IsTheOneThatWasApplied) {
  for (const Theme theme : kThemes) {
    theme::apply(kFontSize, theme);
    EXPECT_EQ(theme::in_force(), theme);
    EXPECT_EQ(&theme::colours(), &theme::colours_of(theme));
    // A bar has another background.
    ImGui::PushStyleColor(ImGuiCol_WindowBg, theme::colours().raised);
    EXPECT_EQ(theme::in_force(), theme);
    ImGui::PopStyleColor();
  }
}

TEST_F(ThemeTest, MessagesDifferForColourBlindUsers) {
  for (const Theme theme : kThemes) {
    const theme::Colours& with = theme::colours_of(theme);
    EXPECT_GE(least_distance({with.success, with.warning, with.error}), kMessageDistance) << name_of(theme);
  }
}

TEST_F(ThemeTest, MapsDifferForColourBlindUsers) {
  EXPECT_GE(least_distance({colour_of(MapKind::kBoundingBox), colour_of(MapKind::kLambda),
                            colour_of(MapKind::kCompact)}),
            kMapDistance);
}

TEST_F(ThemeTest, MapsAndMethodsDoNotHaveTheColourOfTheSelectedTab) {
  for (const Theme theme : kThemes) {
    for (const MapKind map : kMapKinds)
      EXPECT_GE(glm::distance(lab_of(colour_of(map), kUsualVision),
                              lab_of(theme::colours_of(theme).accent, kUsualVision)),
                kMapDistance)
          << name_of(theme) << ": " << label_of(map);
  }
}

}  // namespace
}  // namespace loom::app
