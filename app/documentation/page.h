#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <glm/vec2.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/gui/layout.h"
#include "app/text/text.h"

namespace loom::app::documentation {

/// A Markdown file that the program contains.
struct SourceFile {
  std::string_view path;  ///< below the source folder: "docs/reference/keys.md"
  std::string_view text;
};

/// A part of a text with one font and at most one link. Emphasis is bold.
struct Span {
  std::string text;
  FontFace face = FontFace::kPlain;
  int link = -1;  ///< index into Page::links; -1: none
};
using Spans = std::vector<Span>;

/// A paragraph, a heading, a table or another part of a page that begins on its own line.
struct Block {
  enum class Kind { kHeading, kParagraph, kCode, kTable, kRule, kImage };
  Kind kind = Kind::kParagraph;
  int level = 0;            ///< of a heading, from 1
  int indent = 0;           ///< depth of lists and quotes
  std::string marker = {};  ///< of a list's item: "•", "2."
  std::string anchor = {};  ///< of a heading
  /// The text; of a code block one span with its lines, of an image its description and link.
  Spans spans = {};
  std::vector<std::vector<Spans>> rows = {};  ///< of a table, the head first
};

/// A page of the documentation.
struct Page {
  std::string path;
  std::string title;  ///< the first heading
  std::vector<Block> blocks;
  std::vector<std::string> links;  ///< as written in the file
  bool has_html = false;           ///< raw HTML, which is left out
};

/// Parses Markdown in GitHub's dialect. Throws std::runtime_error if memory is short.
Page parse_page(const SourceFile& file);

/// The name by which links find a heading, as GitHub forms it: "From a click to pixels" is
/// "from-a-click-to-pixels".
std::string anchor_of(std::string_view heading);
/// The words of a block without formatting.
std::string plain_text(const Block& block);

/// The pages that the program contains, the README first, then in the order of their paths.
std::span<const SourceFile> page_files();
/// The group of a page in the contents list: "How-to".
const char* group_of(std::string_view path);

/// What a link leads to.
struct LinkTarget {
  enum class Kind { kPage, kWeb, kSource };
  Kind kind = Kind::kSource;
  std::size_t page = 0;  ///< kPage
  std::string anchor;    ///< kPage: of a heading; empty: the top
  std::string address;   ///< kWeb: the address; kSource: a path below the source folder
};

/// A part of a page that has the searched words.
struct SearchHit {
  std::size_t page = 0;
  std::size_t block = 0;
  std::string excerpt;
};

/// The pages of the documentation, each parsed when it is first used.
class Library {
 public:
  Library() : pages_(page_files().size()) {}
  std::size_t size() const { return pages_.size(); }
  const Page& page(std::size_t index);
  /// `link` as a page writes it, relative to the page `from`.
  LinkTarget target(std::size_t from, std::string_view link) const;
  /// The index of the heading's block; nothing if the page has no such heading.
  std::optional<std::size_t> find_heading(std::size_t page, std::string_view anchor);
  /// The blocks that contain every word; upper and lower case are equal. Headings come first, pages for
  /// contributors last.
  std::vector<SearchHit> search(std::string_view words, std::size_t most);

 private:
  std::vector<std::optional<Page>> pages_;
};

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

/// The PNG file of a picture of the documentation, by its path below the source folder. The program contains
/// them; empty if it has none with this path.
std::span<const unsigned char> picture_file(std::string_view path);
/// The size of a PNG file in pixels; nothing if it is none.
std::optional<glm::ivec2> picture_size(std::span<const unsigned char> png);
/// The picture in this size, as render::ColourTexture takes it: each pixel is the mean of the pixels that it
/// covers. Throws std::runtime_error if the file is damaged.
std::vector<std::uint32_t> read_picture(std::span<const unsigned char> png, glm::ivec2 size);

}  // namespace loom::app::documentation
