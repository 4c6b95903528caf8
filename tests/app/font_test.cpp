#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <string>
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

TEST_F(FontTest, SubscriptsAreSmallerLettersThatReachBelowTheLine) {
  if (!imgui_compat::kHasSubscripts) GTEST_SKIP();
  for (ImFont* const font : {fonts_.text, fonts_.bold, fonts_.mono}) {
    for (const ImWchar letter : {'x', 'y', 'z'}) {
      const ImFontGlyph& usual = *imgui_compat::find_glyph(*font, letter);
      const ImFontGlyph* const subscript =
          imgui_compat::find_glyph(*font, static_cast<ImWchar>(imgui_compat::kSubscripts + letter));
      ASSERT_NE(subscript, nullptr);
      EXPECT_LT(subscript->AdvanceX, usual.AdvanceX);
      EXPECT_LT(subscript->Y1 - subscript->Y0, usual.Y1 - usual.Y0);
      EXPECT_GT(subscript->Y1, imgui_compat::find_glyph(*font, 'x')->Y1 + 1);
    }
  }
}

/// The characters beyond ASCII of a UTF-8 text.
std::set<ImWchar32> letters_of(std::string_view text) {
  std::set<ImWchar32> letters;
  for (std::size_t i = 0; i < text.size();) {
    const auto lead = static_cast<unsigned char>(text[i++]);
    if (lead < 0x80) continue;
    const int more = lead >= 0xF0 ? 3 : lead >= 0xE0 ? 2 : 1;
    ImWchar32 letter = lead & (0x3Fu >> more);
    for (int k = 0; k < more && i < text.size(); ++k)
      letter = letter << 6 | (static_cast<unsigned char>(text[i++]) & 0x3Fu);
    letters.insert(letter);
  }
  return letters;
}

// What the window can show: its own texts (string literals and comments of the sources), lessons, and the
// pages of the documentation.
TEST_F(FontTest, HasEveryLetterOfTheSourcesAndDocuments) {
  namespace fs = std::filesystem;
  const fs::path root = LOOM_SOURCE;
  std::map<ImWchar32, std::string> found;
  int files = 0;
  for (const char* folder : {"app", "compute", "assets/lessons", "docs"}) {
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(root / folder)) {
      const std::string ending = entry.path().extension().string();
      if (ending != ".cpp" && ending != ".h" && ending != ".toml" && ending != ".md") continue;
      std::ifstream file(entry.path(), std::ios::binary);
      const std::string text{std::istreambuf_iterator<char>(file), {}};
      for (const ImWchar32 letter : letters_of(text)) found.emplace(letter, entry.path().string());
      ++files;
    }
  }
  ASSERT_GT(files, 300);
  ASSERT_GT(found.size(), 20u);
  for (ImFont* const font : {fonts_.text, fonts_.bold}) {
    for (const auto& [letter, file] : found) {
      const bool is_icon = letter >= 0xF000 && letter <= 0xF1FF;
      if (is_icon && font == fonts_.bold) continue;
      EXPECT_TRUE(letter <= 0xFFFF &&
                  imgui_compat::find_glyph(*font, static_cast<ImWchar>(letter)) != nullptr)
          << std::hex << static_cast<unsigned>(letter) << " of " << file;
    }
  }
}

TEST_F(FontTest, DigitsHaveOneWidth) {
  for (const float pixels : {10.0f, 16.0f, 24.0f, 40.0f}) {
    set_font_size(pixels);
    for (ImFont* const font : {fonts_.text, fonts_.bold, fonts_.mono}) {
      const float width = imgui_compat::find_glyph(*font, '0')->AdvanceX;
      for (ImWchar digit = '1'; digit <= '9'; ++digit)
        EXPECT_EQ(imgui_compat::find_glyph(*font, digit)->AdvanceX, width) << pixels << ": " << digit;
    }
  }
}

TEST_F(FontTest, KeepsTheNotice) {
  EXPECT_NE(font_license().find("Copyright (c) 2003 by Bitstream"), std::string_view::npos);
  EXPECT_NE(font_license().find("Copyright (c) 2006 by Tavmjong Bah"), std::string_view::npos);
  EXPECT_NE(font_license().find("this permission notice shall"), std::string_view::npos);
  EXPECT_NE(interface_font_license().find("The Inter Project Authors"), std::string_view::npos);
  EXPECT_NE(interface_font_license().find("SIL OPEN FONT LICENSE"), std::string_view::npos);
  EXPECT_NE(icon_license().find("Dave Gandy"), std::string_view::npos);
  EXPECT_NE(icon_license().find("Font Software"), std::string_view::npos);
}

}  // namespace
}  // namespace loom::app
