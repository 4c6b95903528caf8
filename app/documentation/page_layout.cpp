#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

#include "app/documentation/page.h"
#include "app/gui/theme.h"

namespace loom::app::documentation {
namespace {

// In font sizes.
constexpr float kLine = 1.25f;
constexpr float kIndent = 1.5f;
constexpr float kGap = 0.5f;
constexpr float kCellPadding = 0.5f;
constexpr float kCodePadding = 0.5f;
constexpr float kCopyWidth = 2.8f;  ///< of the Copy button at the right
constexpr float kCodeSize = 0.92f;  ///< the monospaced font is wider than the text font
constexpr std::array kHeadingSizes = {theme::kTitleSize, theme::kHeadingSize, theme::kHeadingSize,
                                      theme::kTextSize,  theme::kTextSize,    theme::kTextSize};

std::size_t next_character(std::string_view text, std::size_t at) {
  do ++at;
  while (at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0U) == 0x80U);
  return at;
}

/// A word or a part of one, which does not break.
struct Piece {
  std::string_view text;
  const Span* span = nullptr;
  bool space_before = false;
  bool new_line = false;
  float width = 0;
};

class Typesetter {
 public:
  Typesetter(const Page& page, float width, float font, const MeasureText& measure,
             const MeasurePicture& picture)
      : page_(page), width_(width), font_(font), measure_(measure), picture_(picture) {}

  PageLayout run() {
    for (std::size_t i = 0; i < page_.blocks.size(); ++i) {
      layout_.tops.push_back(y_);
      block(page_.blocks[i], i);
    }
    layout_.height = y_;
    return std::move(layout_);
  }

 private:
  void block(const Block& one, std::size_t index) {
    const float left = static_cast<float>(one.indent) * kIndent * font_;
    if (!one.marker.empty()) {
      const float wide = measure_(FontFace::kPlain, font_, one.marker);
      const float gap = font_ * 0.4f;
      layout_.runs.push_back(
          {{std::max(left - wide - gap, 0.0f), y_}, font_, FontFace::kPlain, -1, one.marker, wide});
    }
    switch (one.kind) {
      case Block::Kind::kHeading: {
        const float size = font_ * kHeadingSizes[static_cast<std::size_t>(std::clamp(one.level, 1, 6) - 1)];
        if (index > 0) y_ += font_ * kGap;
        layout_.tops.back() = y_;
        y_ = spans(one.spans, left, y_, width_ - left, size, FontFace::kBold);
        break;
      }
      case Block::Kind::kCode:
        return code(one, index, left);
      case Block::Kind::kTable:
        return table(one, left);
      case Block::Kind::kRule:
        layout_.boxes.push_back({{{left, y_ + font_ * 0.5f}, {width_ - left, 1}}, Box::Kind::kLine});
        y_ += font_;
        break;
      case Block::Kind::kImage:
        image(one, left);
        break;
      case Block::Kind::kParagraph:
        y_ = spans(one.spans, left, y_, width_ - left, font_, FontFace::kPlain);
        break;
    }
    const bool in_list =
        index + 1 < page_.blocks.size() && page_.blocks[index + 1].indent > 0 && one.indent > 0;
    y_ += font_ * (in_list ? 0.15f : kGap);
  }

  /// The picture, or its description in a frame.
  void image(const Block& one, float left) {
    const int link = one.spans.front().link;
    if (const auto size = picture_(page_.links[static_cast<std::size_t>(link)])) {
      const float scale = std::min(1.0f, (width_ - left) / size->x);
      layout_.pictures.push_back({{{left, y_}, *size * scale}, link});
      y_ += size->y * scale;
      return;
    }
    const float pad = font_ * kCodePadding;
    const float top = y_;
    const std::size_t first = layout_.runs.size();
    y_ = spans(one.spans, left + pad, top + pad, width_ - left - 2 * pad, font_, FontFace::kPlain) + pad;
    for (std::size_t i = first; i < layout_.runs.size(); ++i) layout_.runs[i].link = -1;
    layout_.boxes.push_back({{{left, top}, {width_ - left, y_ - top}}, Box::Kind::kImage});
  }

  void code(const Block& one, std::size_t index, float left) {
    const float size = font_ * kCodeSize;
    const float pad = font_ * kCodePadding;
    const float top = y_;
    const std::size_t box = layout_.boxes.size();
    layout_.boxes.push_back({{}, Box::Kind::kCode});
    y_ += pad;
    std::string_view text = one.spans.front().text;
    while (text.ends_with('\n')) text.remove_suffix(1);
    for (std::size_t at = 0; at <= text.size();) {
      const std::size_t end = std::min(text.find('\n', at), text.size());
      std::string_view line = text.substr(at, end - at);
      do {
        const std::size_t taken =
            fitting(line, FontFace::kMono, size, width_ - left - 2 * pad - kCopyWidth * font_);
        place(line.substr(0, taken), FontFace::kMono, -1, size, left + pad, y_);
        line.remove_prefix(taken);
        y_ += size * kLine;
      } while (!line.empty());
      at = end + 1;
    }
    y_ += pad;
    layout_.boxes[box].area = {{left, top}, {width_ - left, y_ - top}};
    layout_.codes.push_back({{width_, top}, index});
    y_ += font_ * kGap;
  }

  void table(const Block& one, float left) {
    const float pad = font_ * kCellPadding;
    const std::vector<float> widths = column_widths(one, width_ - left);
    const float total = std::accumulate(widths.begin(), widths.end(), 0.0f);
    for (std::size_t row = 0; row < one.rows.size(); ++row) {
      const float top = y_ + pad * 0.5f;
      float bottom = top + font_ * kLine;
      float x = left;
      const std::size_t box = layout_.boxes.size();
      if (row == 0) layout_.boxes.push_back({{}, Box::Kind::kTableHead});
      for (std::size_t i = 0; i < one.rows[row].size() && i < widths.size(); ++i) {
        bottom = std::max(
            bottom, spans(one.rows[row][i], x + pad, top, widths[i] - 2 * pad, font_, FontFace::kPlain));
        x += widths[i];
      }
      const float before = y_;
      y_ = bottom + pad * 0.5f;
      if (row == 0) layout_.boxes[box].area = {{left, before}, {total, y_ - before}};
      layout_.boxes.push_back({{{left, y_}, {total, 1}}, Box::Kind::kLine});
    }
    y_ += font_ * kGap;
  }

  /// The natural widths if there is room. Otherwise narrow columns keep theirs and the others share the rest.
  std::vector<float> column_widths(const Block& one, float room) const {
    std::vector<float> natural;
    for (const auto& row : one.rows) {
      natural.resize(std::max(natural.size(), row.size()));
      for (std::size_t i = 0; i < row.size(); ++i) {
        float wide = 2 * kCellPadding * font_ + 1;
        for (const Span& span : row[i]) wide += measure_(span.face, size_of(span.face, font_), span.text);
        natural[i] = std::max(natural[i], wide);
      }
    }
    std::vector<bool> keeps(natural.size(), false);
    float rest = room;
    std::size_t sharing = natural.size();
    for (bool changed = true; changed && sharing > 0;) {
      changed = false;
      const float share = rest / static_cast<float>(sharing);
      for (std::size_t i = 0; i < natural.size(); ++i) {
        if (keeps[i] || natural[i] > share) continue;
        keeps[i] = changed = true;
        rest -= natural[i];
        --sharing;
      }
    }
    for (std::size_t i = 0; i < natural.size(); ++i) {
      if (!keeps[i]) natural[i] = std::max(rest / static_cast<float>(sharing), 3 * font_);
    }
    return natural;
  }

  static float size_of(FontFace face, float size) {
    return face == FontFace::kMono ? size * kCodeSize : size;
  }

  std::vector<Piece> pieces_of(const Spans& spans, float size) const {
    std::vector<Piece> pieces;
    bool space = false;
    for (const Span& span : spans) {
      const std::string_view text = span.text;
      for (std::size_t at = 0; at < text.size();) {
        if (text[at] == ' ' || text[at] == '\n') {
          space = true;
          if (text[at] == '\n') pieces.push_back({.text = {}, .new_line = true});
          ++at;
          continue;
        }
        const std::size_t end = std::min(text.find_first_of(" \n", at), text.size());
        const std::string_view word = text.substr(at, end - at);
        pieces.push_back({word, &span, std::exchange(space, false), false,
                          measure_(span.face, size_of(span.face, size), word)});
        at = end;
      }
    }
    return pieces;
  }

  /// Draws the spans in lines and returns where they end. `least`: kBold draws all text bold.
  float spans(const Spans& all, float left, float top, float width, float size, FontFace least) {
    const std::vector<Piece> pieces = pieces_of(all, size);
    const float space = measure_(FontFace::kPlain, size, " ");
    const float step = size * kLine;
    float x = 0;
    float y = top;
    for (std::size_t first = 0; first < pieces.size();) {
      if (pieces[first].new_line) {
        x = 0;
        y += step;
        ++first;
        continue;
      }
      std::size_t last = first + 1;  // pieces without a space between them stay on one line
      while (last < pieces.size() && !pieces[last].space_before && !pieces[last].new_line) ++last;
      float wide = 0;
      for (std::size_t i = first; i < last; ++i) wide += pieces[i].width;
      const float gap = x > 0 && pieces[first].space_before ? space : 0;
      if (x > 0 && x + gap + wide > width) {
        x = 0;
        y += step;
      } else {
        x += gap;
      }
      for (std::size_t i = first; i < last; ++i) {
        std::string_view text = pieces[i].text;
        const FontFace own = pieces[i].span->face;
        const FontFace face = own == FontFace::kPlain ? least : own;
        const float own_size = size_of(own, size);
        while (!text.empty()) {
          std::size_t taken = fitting(text, face, own_size, width - x);
          if (taken < text.size() && x > 0) {  // longer than a line: it breaks inside the word
            x = 0;
            y += step;
            taken = fitting(text, face, own_size, width);
          }
          x += place(text.substr(0, taken), face, pieces[i].span->link, own_size, left + x,
                     y + (size - own_size) * 0.6f);
          text.remove_prefix(taken);
        }
      }
      first = last;
    }
    return y + step;
  }

  /// The number of bytes that fit into the width, at least one character.
  std::size_t fitting(std::string_view text, FontFace face, float size, float width) const {
    if (text.empty() || measure_(face, size, text) <= width) return text.size();
    std::size_t end = next_character(text, 0);
    for (std::size_t next = end; next < text.size();) {
      next = next_character(text, next);
      if (measure_(face, size, text.substr(0, next)) > width) break;
      end = next;
    }
    return end;
  }

  float place(std::string_view text, FontFace face, int link, float size, float x, float y) {
    const float wide = measure_(face, size, text);
    if (!text.empty()) layout_.runs.push_back({{x, y}, size, face, link, text, wide});
    return wide;
  }

  const Page& page_;
  float width_;
  float font_;
  const MeasureText& measure_;
  const MeasurePicture& picture_;
  PageLayout layout_;
  float y_ = 0;
};

}  // namespace

PageLayout lay_out(const Page& page, float width, float font, const MeasureText& measure,
                   const MeasurePicture& picture) {
  return Typesetter(page, std::max(width, 8 * font), font, measure, picture).run();
}

}  // namespace loom::app::documentation
