#include "app/document/scene/bookmark_text.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <utility>

#include "app/bench/json_document.h"
#include "app/document/scene/base64.h"
#include "app/document/scene/scene_part_json.h"
#include "compute/core/error.h"

namespace loom::app::scene {
namespace {

using Json = nlohmann::ordered_json;
using bench::JsonReader;

constexpr const char* kBookmarksFormat = "fractal-loom places";
constexpr int kBookmarksVersion = 1;
constexpr std::uint32_t kMostDwell = 65535;

Json bookmark_json(const Bookmark& one) {
  Json json{{"name", one.name}};
  if (one.dwells) {
    json["workspace"] = "mandelbrot";
    json["re"] = one.dwells->view.re;
    json["im"] = one.dwells->view.im;
    json["width"] = one.dwells->view.width;
    json["dwell_limit"] = one.dwells->dwell_limit;
  } else {
    json["workspace"] = "life";
    json["fractal"] = to_json(one.cells->fractal);
    json["level"] = one.cells->level;
    json["view"] = nullptr;
    if (const auto& view = one.cells->view) json["view"] = {{"x", to_json(view->x)}, {"y", to_json(view->y)}};
  }
  json["thumbnail"] = to_base64(one.thumbnail.rgb);
  return json;
}

Bookmark read_bookmark(const JsonReader& json, const std::string& where) {
  const auto wrong = [&](std::string_view what) { return InputError(fmt::format("{} {}", where, what)); };
  Bookmark one{.name = json.text("name")};
  if (one.name.size() > kMaxBookmarkName) throw wrong("has a name that is too long");
  const std::string workspace = json.text("workspace");
  if (workspace == "mandelbrot") {
    one.dwells = {.view = {json.real("re"), json.real("im"), json.number("width")},
                  .dwell_limit = json.whole<std::uint32_t>("dwell_limit")};
    if (one.dwells->view.width <= 0) throw wrong("has no width above 0");
    if (one.dwells->dwell_limit < 1 || one.dwells->dwell_limit > kMostDwell)
      throw wrong("has no dwell limit from 1 to 65535");
  } else if (workspace == "life") {
    one.cells = {.fractal = read_fractal(json.object("fractal")), .level = json.level("level"), .view = {}};
    if (one.cells->level > one.cells->fractal.max_level())
      throw wrong("has a level that its fractal does not have");
    if (!json.is_null("view")) {
      const JsonReader view = json.object("view");
      one.cells->view = LifeView{read_sight(view.object("x")), read_sight(view.object("y"))};
    }
  } else {
    throw wrong("names no workspace; allowed: life, mandelbrot");
  }
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

std::vector<Bookmark> read_bookmarks(const Json& list, std::string_view where) {
  if (list.size() > kMaxBookmarks)
    throw InputError(fmt::format("{} has more than {} bookmarks", where, kMaxBookmarks));
  std::vector<Bookmark> bookmarks;
  for (const Json& one : list) {
    const std::string here = fmt::format("{}[{}]", where, bookmarks.size());
    bookmarks.push_back(read_bookmark(JsonReader(one, here), here));
  }
  return bookmarks;
}

std::string text_of(const std::vector<Bookmark>& bookmarks) {
  const Json json{
      {"format", kBookmarksFormat}, {"version", kBookmarksVersion}, {"places", to_json(bookmarks)}};
  return json.dump(1, ' ', true, Json::error_handler_t::replace) + "\n";
}

std::vector<Bookmark> read_bookmark_text(std::string_view text) {
  const Json document = bench::parse_json(text, {});
  const bool is_one =
      document.is_object() && document.contains("format") && document["format"] == kBookmarksFormat;
  if (!is_one) throw InputError("it contains no bookmarks of Fractal Loom");
  const JsonReader json(document, "places");
  if (json.whole<int>("version") != kBookmarksVersion)
    throw InputError("it was written by another version of the program");
  return read_bookmarks(json.array("places"), "places");
}

}  // namespace loom::app::scene
