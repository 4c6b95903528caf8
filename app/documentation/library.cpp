#include "app/documentation/library.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>

#include "documentation_pages.h"

namespace loom::app::documentation {
namespace {

constexpr std::size_t kExcerpt = 90;  // bytes

std::string lower(std::string_view text) {
  std::string small(text);
  for (char& c : small) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return small;
}

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  const std::string small = lower(text);
  for (std::size_t at = 0; at < small.size();) {
    const std::size_t end = std::min(small.find(' ', at), small.size());
    if (end > at) words.push_back(small.substr(at, end - at));
    at = end + 1;
  }
  return words;
}

bool is_continuation(char c) {
  return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U;
}

/// About kExcerpt bytes of the text around `at`, on one line.
std::string excerpt_of(const std::string& text, std::size_t at) {
  std::size_t first = at > kExcerpt / 3 ? text.find(' ', at - kExcerpt / 3) + 1 : 0;
  if (first == 0 || first > at) first = at > kExcerpt / 3 ? at : 0;
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
  std::vector<SearchHit> headings;
  std::vector<SearchHit> others;
  const std::vector<std::string> words = words_of(text);
  if (words.empty()) return {};
  for (std::size_t index = 0; index < size(); ++index) {
    const std::vector<Block>& blocks = page(index).blocks;
    for (std::size_t i = 0; i < blocks.size(); ++i) {
      const std::string all = plain_text(blocks[i]);
      const std::string small = lower(all);
      if (!std::ranges::all_of(
              words, [&](const std::string& word) { return small.find(word) != std::string::npos; }))
        continue;
      const bool is_heading = blocks[i].kind == Block::Kind::kHeading;
      (is_heading ? headings : others).push_back({index, i, excerpt_of(all, small.find(words.front()))});
    }
  }
  headings.insert(headings.end(), others.begin(), others.end());
  if (headings.size() > most) headings.resize(most);
  return headings;
}

}  // namespace loom::app::documentation
