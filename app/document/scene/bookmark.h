#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/document/scene/workspace_state.h"

namespace loom::app::scene {

/// A thumbnail: RGB, rows from the top.
struct Thumbnail {
  static constexpr int kWidth = 80;
  static constexpr int kHeight = 60;
  static constexpr std::size_t kBytes = std::size_t{kWidth} * kHeight * 3;
  std::string rgb;  ///< kBytes long, or empty
  friend bool operator==(const Thumbnail&, const Thumbnail&) = default;
};

/// A bookmark: a view in one of the workspaces.
struct Bookmark {
  std::string name;
  std::string workspace;         ///< its id
  nlohmann::ordered_json place;  ///< as in WorkspaceFormat::read_place()
  Thumbnail thumbnail = {};
  /// Whether both show the same view, regardless of their names.
  bool same_view(const Bookmark& other) const { return workspace == other.workspace && place == other.place; }
};

inline constexpr std::size_t kMaxBookmarks = 200;
inline constexpr std::size_t kMaxBookmarkName = 80;

/// Bookmarks as a JSON list, and as a file.
nlohmann::ordered_json to_json(const std::vector<Bookmark>& bookmarks);
/// Throw InputError that names the invalid bookmark and the fault.
std::vector<Bookmark> read_bookmarks(const nlohmann::ordered_json& list, std::string_view where,
                                     Formats formats);

std::string text_of(const std::vector<Bookmark>& bookmarks);
std::vector<Bookmark> read_bookmark_text(std::string_view text, Formats formats);

/// Encodes bytes by RFC 4648, with padding, without line ends.
std::string to_base64(std::string_view bytes);
/// Decodes a text; empty if to_base64() would not write it.
std::optional<std::string> from_base64(std::string_view text);

}  // namespace loom::app::scene
