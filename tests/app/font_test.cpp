#include <string_view>
#include <utility>

#include "imgui_frame.h"

namespace loom::app {
namespace {

using FontTest = ImGuiTest;

// tests/cli checks that the program needs no font file.
TEST_F(FontTest, HasEveryLetterThatTheWindowWrites) {
  for (ImFont* const font : {fonts_.text, fonts_.bold}) {
    ASSERT_NE(font, nullptr);
    for (const ImWchar letter :
         {u'λ', u'ν', u'ρ', u'ω', u'Ω', u'×', u'²', u'ʳ', u'…', u'−', u'→', u'≈', u'⌈', u'·', u'✓'}) {
      EXPECT_NE(imgui_compat::find_glyph(*font, letter), nullptr) << static_cast<unsigned>(letter);
    }
    // Greek letters have their own glyphs, not the fallback glyph.
    const auto place = [font](ImWchar letter) {
      const ImFontGlyph& glyph = *imgui_compat::find_glyph(*font, letter);
      return std::pair(glyph.U0, glyph.V0);
    };
    EXPECT_NE(place(u'λ'), place(u'ν'));
    EXPECT_NE(place(u'λ'), place(u'?'));
  }
}

TEST_F(FontTest, KeepsTheNotice) {
  EXPECT_NE(font_license().find("Copyright (c) 2003 by Bitstream"), std::string_view::npos);
  EXPECT_NE(font_license().find("Copyright (c) 2006 by Tavmjong Bah"), std::string_view::npos);
  EXPECT_NE(font_license().find("this permission notice shall"), std::string_view::npos);
  EXPECT_NE(icon_license().find("Dave Gandy"), std::string_view::npos);
  EXPECT_NE(icon_license().find("Font Software"), std::string_view::npos);
}

}  // namespace
}  // namespace loom::app
