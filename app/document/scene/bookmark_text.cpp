#include "app/document/scene/bookmark_text.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <utility>

#include "app/bench/json_document.h"
#include "app/document/scene/base64.h"
#include "compute/core/error.h"

namespace loom::app::scene {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kBookmarksFormat = "fractal-loom places";
constexpr int kBookmarksVersion = 1;

Json bookmark_json(const Bookmark& one) {
  Json json{{"name", one.name}, {"workspace", one.workspace}};
  json.update(one.place);
  json["thumbnail"] = to_base64(one.thumbnail.rgb);
  return json;
}

const WorkspaceFormat& format_of(std::string_view workspace, const std::string& where, Formats formats) {
  try {
    return find_format(formats, workspace);
  } catch (const InputError& error) {
    throw InputError(fmt::format("{}: {}", where, error.what()));
  }
}

Bookmark read_bookmark(const JsonReader& json, const std::string& where, Formats formats) {
  const auto wrong = [&](std::string_view what) { return InputError(fmt::format("{} {}", where, what)); };
  Bookmark one{.name = json.text("name"), .workspace = json.text("workspace"), .place = {}};
  if (one.name.size() > kMaxBookmarkName) throw wrong("has a name that is too long");
  one.place = format_of(one.workspace, where, formats).read_place(json);
  auto rgb = from_base64(json.text("thumbnail"));
  if (!rgb || (!rgb->empty() && rgb->size() != Thumbnail::kBytes))
    throw wrong("has a thumbnail of the wrong size");
  one.thumbnail.rgb = std::move(*rgb);
  return one;
}

}  // namespace

Json to_json(const std::vector<Bookmark>& bookmarks) {
  Json list = Json::array();
  for (const Bookmark& one : bookmarks) list.push_back(bookmark_json(one));
  return list;
}

std::vector<Bookmark> read_bookmarks(const Json& list, std::string_view where, Formats formats) {
  if (list.size() > kMaxBookmarks)
    throw InputError(fmt::format("{} has more than {} bookmarks", where, kMaxBookmarks));
  std::vector<Bookmark> bookmarks;
  for (const Json& one : list) {
    const std::string here = fmt::format("{}[{}]", where, bookmarks.size());
    bookmarks.push_back(read_bookmark(JsonReader(one, here), here, formats));
  }
  return bookmarks;
}

std::string text_of(const std::vector<Bookmark>& bookmarks) {
  const Json json{
      {"format", kBookmarksFormat}, {"version", kBookmarksVersion}, {"places", to_json(bookmarks)}};
  return json.dump(1, ' ', true, Json::error_handler_t::replace) + "\n";
}

std::vector<Bookmark> read_bookmark_text(std::string_view text, Formats formats) {
  const Json document = bench::parse_json(text, {});
  const bool is_one =
      document.is_object() && document.contains("format") && document["format"] == kBookmarksFormat;
  if (!is_one) throw InputError("it contains no bookmarks of Fractal Loom");
  const JsonReader json(document, "places");
  if (json.whole<int>("version") != kBookmarksVersion)
    throw InputError("it was written by another version of the program");
  return read_bookmarks(json.array("places"), "places", formats);
}

}  // namespace loom::app::scene
