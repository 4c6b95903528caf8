#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/documentation/page.h"

namespace loom::app::documentation {

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
  /// The blocks that contain every word; upper and lower case are equal. Headings come first.
  std::vector<SearchHit> search(std::string_view words, std::size_t most);

 private:
  std::vector<std::optional<Page>> pages_;
};

}  // namespace loom::app::documentation
