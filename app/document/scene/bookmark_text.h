#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "app/document/scene/bookmark.h"
#include "app/document/scene/workspace_state.h"

namespace loom::app::scene {

/// Bookmarks as a JSON list, and as a file.
nlohmann::ordered_json to_json(const std::vector<Bookmark>& bookmarks);
/// Throw InputError that names the invalid bookmark and the fault.
std::vector<Bookmark> read_bookmarks(const nlohmann::ordered_json& list, std::string_view where,
                                     Formats formats);

std::string text_of(const std::vector<Bookmark>& bookmarks);
std::vector<Bookmark> read_bookmark_text(std::string_view text, Formats formats);

}  // namespace loom::app::scene
