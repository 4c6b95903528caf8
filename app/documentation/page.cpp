#include "app/documentation/page.h"

#include <fmt/format.h>
#include <md4c.h>

#include <cctype>
#include <stdexcept>
#include <utility>

namespace loom::app::documentation {
namespace {

std::string text_of(const MD_ATTRIBUTE& attribute) {
  return std::string(attribute.text, attribute.size);
}

/// Characters that the pages write as entities.
std::string character_of(std::string_view entity) {
  static constexpr std::pair<std::string_view, std::string_view> kEntities[] = {
      {"&amp;", "&"}, {"&lt;", "<"}, {"&gt;", ">"}, {"&quot;", "\""}, {"&nbsp;", " "}};
  for (const auto& [name, character] : kEntities) {
    if (name == entity) return std::string(character);
  }
  return std::string(entity);
}

/// Collects the blocks of a page from md4c's events.
class PageBuilder {
 public:
  explicit PageBuilder(Page& page) : page_(page) {}

  void enter_block(MD_BLOCKTYPE type, void* detail) {
    switch (type) {
      case MD_BLOCK_QUOTE:
        ++indent_;
        break;
      case MD_BLOCK_UL:
        lists_.push_back({});
        end_text();
        break;
      case MD_BLOCK_OL:
        lists_.push_back({true, static_cast<MD_BLOCK_OL_DETAIL*>(detail)->start});
        end_text();
        break;
      case MD_BLOCK_LI:
        ++indent_;
        marker_ = lists_.back().ordered ? fmt::format("{}.", lists_.back().number++) : "•";
        break;
      case MD_BLOCK_HR:
        begin(Block::Kind::kRule);
        end_text();
        break;
      case MD_BLOCK_H:
        begin(Block::Kind::kHeading).level = static_cast<int>(static_cast<MD_BLOCK_H_DETAIL*>(detail)->level);
        break;
      case MD_BLOCK_CODE:
        begin(Block::Kind::kCode).spans.push_back({"", FontFace::kMono});
        break;
      case MD_BLOCK_HTML:
        page_.has_html = true;
        break;
      case MD_BLOCK_P:
        begin(Block::Kind::kParagraph);
        break;
      case MD_BLOCK_TABLE:
        begin(Block::Kind::kTable);
        break;
      case MD_BLOCK_TR:
        page_.blocks.back().rows.emplace_back();
        break;
      case MD_BLOCK_TH:
      case MD_BLOCK_TD:
        text_ = &page_.blocks.back().rows.back().emplace_back();
        bold_ += type == MD_BLOCK_TH;
        break;
      default:
        break;
    }
  }

  void leave_block(MD_BLOCKTYPE type) {
    switch (type) {
      case MD_BLOCK_QUOTE:
        --indent_;
        break;
      case MD_BLOCK_UL:
      case MD_BLOCK_OL:
        lists_.pop_back();
        break;
      case MD_BLOCK_LI:
        --indent_;
        marker_.clear();
        end_text();
        break;
      case MD_BLOCK_H: {
        Block& heading = page_.blocks.back();
        const std::string text = plain_text(heading);
        heading.anchor = anchor_of(text);
        if (page_.title.empty()) page_.title = text;
        end_text();
        break;
      }
      case MD_BLOCK_TH:
        --bold_;
        end_text();
        break;
      case MD_BLOCK_P:
        if (page_.blocks.back().spans.empty()) page_.blocks.pop_back();
        end_text();
        for (Block& image : images_) page_.blocks.push_back(std::move(image));
        images_.clear();
        break;
      case MD_BLOCK_CODE:
      case MD_BLOCK_TABLE:
      case MD_BLOCK_TD:
        end_text();
        break;
      default:
        break;
    }
  }

  void enter_span(MD_SPANTYPE type, void* detail) {
    if (type == MD_SPAN_EM || type == MD_SPAN_STRONG) ++bold_;
    if (type == MD_SPAN_CODE) code_ = true;
    if (type == MD_SPAN_A) link_ = add_link(text_of(static_cast<MD_SPAN_A_DETAIL*>(detail)->href));
    if (type == MD_SPAN_IMG) {
      Block image{.kind = Block::Kind::kImage, .indent = indent_};
      image.spans.push_back(
          {"", FontFace::kPlain, add_link(text_of(static_cast<MD_SPAN_IMG_DETAIL*>(detail)->src))});
      images_.push_back(std::move(image));
      in_image_ = true;
    }
  }

  void leave_span(MD_SPANTYPE type) {
    if (type == MD_SPAN_EM || type == MD_SPAN_STRONG) --bold_;
    if (type == MD_SPAN_CODE) code_ = false;
    if (type == MD_SPAN_A) link_ = -1;
    if (type == MD_SPAN_IMG) in_image_ = false;
  }

  void text(MD_TEXTTYPE type, std::string_view text) {
    if (type == MD_TEXT_HTML) {
      page_.has_html = true;
    } else if (type == MD_TEXT_SOFTBR) {
      add(" ");
    } else if (type == MD_TEXT_BR) {
      add("\n");
    } else if (type == MD_TEXT_ENTITY) {
      add(character_of(text));
    } else {
      add(text);
    }
  }

 private:
  struct List {
    bool ordered = false;
    unsigned number = 1;
  };

  Block& begin(Block::Kind kind) {
    page_.blocks.push_back({.kind = kind, .indent = indent_, .marker = std::exchange(marker_, {})});
    text_ = &page_.blocks.back().spans;
    return page_.blocks.back();
  }
  void end_text() { text_ = nullptr; }

  int add_link(std::string to) {
    page_.links.push_back(std::move(to));
    return static_cast<int>(page_.links.size()) - 1;
  }

  void add(std::string_view text) {
    if (in_image_) {
      images_.back().spans.front().text += text;
      return;
    }
    if (text_ == nullptr) begin(Block::Kind::kParagraph);  // of an item in a list without blank lines
    const bool in_code_block = !text_->empty() && page_.blocks.back().kind == Block::Kind::kCode;
    const FontFace face = code_ || in_code_block ? FontFace::kMono
                          : bold_ > 0            ? FontFace::kBold
                                                 : FontFace::kPlain;
    if (text_->empty() || text_->back().face != face || text_->back().link != link_)
      text_->push_back({"", face, link_});
    text_->back().text += text;
  }

  Page& page_;
  Spans* text_ = nullptr;  ///< receives text
  std::vector<Block> images_;
  std::vector<List> lists_;
  std::string marker_;
  int indent_ = 0;
  int bold_ = 0;
  int link_ = -1;
  bool code_ = false;
  bool in_image_ = false;
};

PageBuilder& builder(void* user) {
  return *static_cast<PageBuilder*>(user);
}

}  // namespace

Page parse_page(const SourceFile& file) {
  Page page;
  page.path = file.path;
  PageBuilder to(page);
  MD_PARSER parser{};
  parser.flags = MD_DIALECT_GITHUB;
  parser.enter_block = [](MD_BLOCKTYPE type, void* detail, void* user) {
    return builder(user).enter_block(type, detail), 0;
  };
  parser.leave_block = [](MD_BLOCKTYPE type, void*, void* user) {
    return builder(user).leave_block(type), 0;
  };
  parser.enter_span = [](MD_SPANTYPE type, void* detail, void* user) {
    return builder(user).enter_span(type, detail), 0;
  };
  parser.leave_span = [](MD_SPANTYPE type, void*, void* user) { return builder(user).leave_span(type), 0; };
  parser.text = [](MD_TEXTTYPE type, const MD_CHAR* text, MD_SIZE size, void* user) {
    return builder(user).text(type, {text, size}), 0;
  };
  if (md_parse(file.text.data(), static_cast<MD_SIZE>(file.text.size()), &parser, &to) != 0)
    throw std::runtime_error("out of memory while reading " + page.path);
  return page;
}

std::string anchor_of(std::string_view heading) {
  std::string anchor;
  for (const char c : heading) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == ' ') anchor += '-';
    if (byte >= 0x80 || std::isalnum(byte) != 0 || c == '-' || c == '_')
      anchor += static_cast<char>(byte < 0x80 ? std::tolower(byte) : byte);
  }
  return anchor;
}

std::string plain_text(const Block& block) {
  std::string text;
  for (const Span& span : block.spans) text += span.text;
  for (const auto& row : block.rows) {
    for (const Spans& cell : row) {
      for (const Span& span : cell) text += span.text;
      text += "  ";
    }
  }
  return text;
}

}  // namespace loom::app::documentation
