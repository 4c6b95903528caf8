#pragma once

#include <cstddef>
#include <functional>
#include <glm/vec2.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/documentation/page.h"
#include "app/gui/layout.h"

namespace loom::app::documentation {

/// A text on one line, at a place relative to the page's corner.
struct TextRun {
  glm::vec2 at{0};
  float size = 0;  ///< font size in units
  FontFace face = FontFace::kPlain;
  int link = -1;          ///< as Span::link
  std::string_view text;  ///< in the page
  float width = 0;
};

/// A background or a line.
struct Box {
  enum class Kind { kCode, kTableHead, kLine, kImage };
  Area area;
  Kind kind = Kind::kLine;
};

/// A code block with the corner where its Copy button ends.
struct CodePlace {
  glm::vec2 right_top{0};
  std::size_t block = 0;
};

/// A picture in its scaled size.
struct PicturePlace {
  Area area;
  int link = -1;  ///< index into Page::links
};

/// A page broken into lines. It refers to the page's texts.
struct PageLayout {
  std::vector<TextRun> runs;
  std::vector<Box> boxes;
  std::vector<CodePlace> codes;
  std::vector<PicturePlace> pictures;
  std::vector<float> tops;  ///< of the blocks
  float height = 0;
};

/// The width of a text in a font of this size.
using MeasureText = std::function<float(FontFace face, float size, std::string_view text)>;

/// The size of the picture that a page refers to; nothing if there is only its description.
using MeasurePicture = std::function<std::optional<glm::vec2>(const std::string& link)>;

/// Lays the page out in lines of at most `width`. `font`: the size of its text. Wide pictures are scaled to
/// the width.
PageLayout lay_out(const Page& page, float width, float font, const MeasureText& measure,
                   const MeasurePicture& picture);

}  // namespace loom::app::documentation
