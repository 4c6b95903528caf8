#include "app/documentation/page.h"

#include <fmt/format.h>
#include <md4c.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <stdexcept>
#include <utility>

#include "app/text/format.h"
#include "documentation_pages.h"

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

namespace {

constexpr std::size_t kExcerpt = 120;  // bytes

bool is_continuation(char c) {
  return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U;
}

/// About kExcerpt bytes of the text around `at`, on one line.
std::string excerpt_of(const std::string& text, std::size_t at) {
  std::size_t first = at > 2 * kExcerpt / 3 ? text.find(' ', at - 2 * kExcerpt / 3) + 1 : 0;
  if (first == 0 || first > at) first = at > 2 * kExcerpt / 3 ? at : 0;
  std::size_t last = std::min(first + kExcerpt, text.size());
  while (last < text.size() && is_continuation(text[last])) ++last;
  std::string excerpt =
      (first > 0 ? "... " : "") + text.substr(first, last - first) + (last < text.size() ? " ..." : "");
  std::ranges::replace(excerpt, '\n', ' ');
  return excerpt;
}

}  // namespace

std::span<const SourceFile> page_files() {
  return embedded::kPages;
}

const char* group_of(std::string_view path) {
  static constexpr std::array<std::pair<std::string_view, const char*>, 4> kGroups = {{
      {"docs/tutorials/", "Tutorials"},
      {"docs/how-to/", "How-to"},
      {"docs/reference/", "Reference"},
      {"docs/explanation/", "Explanation"},
  }};
  for (const auto& [folder, group] : kGroups) {
    if (path.starts_with(folder)) return group;
  }
  return path == "README.md" || path == "docs/README.md" ? "Start" : "Project";
}

namespace {

bool has_whole_word(std::string_view text, std::string_view word) {
  const auto is_letter = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; };
  for (std::size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    if ((at == 0 || !is_letter(text[at - 1])) && (end == text.size() || !is_letter(text[end]))) return true;
  }
  return false;
}

}  // namespace

const Page& Library::page(std::size_t index) {
  if (!pages_[index]) pages_[index] = parse_page(page_files()[index]);
  return *pages_[index];
}

LinkTarget Library::target(std::size_t from, std::string_view link) const {
  if (link.starts_with("http://") || link.starts_with("https://"))
    return {.kind = LinkTarget::Kind::kWeb, .page = 0, .anchor = {}, .address = std::string(link)};
  const std::size_t hash = std::min(link.find('#'), link.size());
  const std::string anchor(link.substr(std::min(hash + 1, link.size())));
  if (hash == 0) return {.kind = LinkTarget::Kind::kPage, .page = from, .anchor = anchor, .address = {}};
  const std::filesystem::path file(page_files()[from].path);
  std::string path = (file.parent_path() / link.substr(0, hash)).lexically_normal().string();
  if (path.ends_with('/')) path.pop_back();
  for (std::size_t i = 0; i < page_files().size(); ++i) {
    if (page_files()[i].path == path)
      return {.kind = LinkTarget::Kind::kPage, .page = i, .anchor = anchor, .address = {}};
  }
  return {.kind = LinkTarget::Kind::kSource, .page = 0, .anchor = {}, .address = path};
}

std::optional<std::size_t> Library::find_heading(std::size_t index, std::string_view anchor) {
  const std::vector<Block>& blocks = page(index).blocks;
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    if (blocks[i].kind == Block::Kind::kHeading && blocks[i].anchor == anchor) return i;
  }
  return std::nullopt;
}

std::vector<SearchHit> Library::search(std::string_view text, std::size_t most) {
  // Headings, text with the first word as it is, text with it in a longer one, and at the end the pages about
  // the source code. Instructions come before explanations.
  std::array<std::vector<SearchHit>, 7> ranks;
  const std::size_t begins = text.find_first_not_of(' ');
  if (begins == std::string_view::npos) return {};
  const std::string first = lower_case(text.substr(begins, text.find(' ', begins) - begins));
  constexpr std::array<std::string_view, 4> kForContributors = {
      "CONTRIBUTING.md", "docs/architecture.md", "docs/design-notes.md", "docs/how-to/test-changes.md"};
  for (std::size_t index = 0; index < size(); ++index) {
    const std::vector<Block>& blocks = page(index).blocks;
    const bool last = std::ranges::find(kForContributors, page_files()[index].path) != kForContributors.end();
    const bool explains = page_files()[index].path.starts_with("docs/explanation/");
    for (std::size_t i = 0; i < blocks.size(); ++i) {
      const std::string all = plain_text(blocks[i]);
      if (!has_words(all, text)) continue;
      const std::string lower = lower_case(all);
      const bool is_heading = blocks[i].kind == Block::Kind::kHeading;
      const std::size_t rank = last ? 6
                                    : (is_heading                     ? 0
                                       : has_whole_word(lower, first) ? 2
                                                                      : 4) +
                                          (explains ? 1 : 0);
      ranks[rank].push_back({index, i, excerpt_of(all, lower.find(first))});
    }
  }
  std::vector<SearchHit> hits;
  for (const auto& rank : ranks) hits.insert(hits.end(), rank.begin(), rank.end());
  if (hits.size() > most) hits.resize(most);
  return hits;
}

}  // namespace loom::app::documentation
