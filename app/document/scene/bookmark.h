#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>

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

}  // namespace loom::app::scene
