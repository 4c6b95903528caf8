#include "app/document/scene/scene.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <utility>

#include "app/bench/json_document.h"
#include "app/files/json_reader.h"
#include "app/palette/custom_palettes.h"
#include "compute/core/error.h"
#include "render/palette.h"

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

namespace {

constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

}  // namespace

std::string to_base64(std::string_view bytes) {
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::string_view group = bytes.substr(i, 3);
    std::uint32_t bits = 0;
    for (std::size_t byte = 0; byte < 3; ++byte)
      bits = bits << 8 | (byte < group.size() ? static_cast<unsigned char>(group[byte]) : 0u);
    for (std::size_t digit = 0; digit < 4; ++digit)
      text += digit <= group.size() ? kDigits[bits >> (18 - 6 * digit) & 63] : '=';
  }
  return text;
}

std::optional<std::string> from_base64(std::string_view text) {
  std::string bytes;
  std::uint32_t bits = 0;
  int bit_count = 0;
  for (const char digit : text.substr(0, text.find('='))) {
    const std::size_t value = kDigits.find(digit);
    if (value == kDigits.npos) return std::nullopt;
    bits = bits << 6 | static_cast<std::uint32_t>(value);
    bit_count += 6;
    if (bit_count >= 8) bytes += static_cast<char>(bits >> (bit_count -= 8) & 255);
  }
  if (to_base64(bytes) != text) return std::nullopt;
  return bytes;
}

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMostName = 64;

glm::u8vec3 read_colour(const std::string& text) {
  const auto colour = colour_of_hex(text);
  if (!colour) throw InputError("a colour of its palettes is not written \"#rrggbb\"");
  return *colour;
}

/// A custom palette as stored in scene files.
Json to_json(const render::PaletteSpec& recipe) {
  Json json{{"name", recipe.name},     {"cyclic", recipe.cyclic},     {"reversed", recipe.reversed},
            {"offset", recipe.offset}, {"hole", hex_of(recipe.hole)}, {"outside", hex_of(recipe.outside)},
            {"stops", Json::array()}};
  for (const render::PaletteStop& stop : recipe.stops)
    json["stops"].push_back({stop.at, hex_of(stop.colour)});
  return json;
}

/// Throws InputError with the fault.
render::PaletteSpec read_palette(const JsonReader& json) {
  render::PaletteSpec recipe{.name = json.text("name"),
                             .cyclic = json.yes_no("cyclic"),
                             .reversed = json.yes_no("reversed"),
                             .offset = json.number("offset"),
                             .hole = read_colour(json.text("hole")),
                             .outside = read_colour(json.text("outside"))};
  if (recipe.name.size() > kMostName)
    throw InputError(fmt::format("a palette's name is longer than {} bytes", kMostName));
  if (recipe.offset > 1) throw InputError("a palette's offset is not a number from 0 to 1");
  const Json& stops = json.array("stops");
  if (stops.size() > render::kMaxStops)
    throw InputError(fmt::format("a palette has more than {} stops", render::kMaxStops));
  for (const Json& stop : stops) {
    if (!stop.is_array() || stop.size() != 2 || !stop[0].is_number() || !stop[1].is_string())
      throw InputError("a palette's stops are not pairs of a position and a colour");
    recipe.stops.push_back({stop[0].get<double>(), read_colour(stop[1].get<std::string>())});
  }
  return recipe;
}

constexpr const char* kFormat = "fractal-loom scene";

void read_palettes(const JsonReader& json, Scene& scene) {
  scene.palette = json.text("palette");
  if (!json.has("own_palettes")) return;
  const Json& all = json.array("own_palettes");
  if (all.size() > kMaxCustomPalettes)
    throw InputError(fmt::format("it has {} palettes; allowed: up to {}", all.size(), kMaxCustomPalettes));
  for (std::size_t i = 0; i < all.size(); ++i) {
    scene.custom_palettes = with_palette(
        scene.custom_palettes, read_palette(JsonReader(all[i], fmt::format("own_palettes[{}]", i))));
  }
}

}  // namespace

const WorkspaceFormat& find_format(Formats formats, std::string_view id) {
  std::vector<std::string_view> ids;
  for (const WorkspaceFormat& format : formats) {
    if (format.id == id) return format;
    ids.push_back(format.id);
  }
  throw InputError(fmt::format("unknown workspace '{}'; allowed: {}", id, fmt::join(ids, ", ")));
}

std::string bytes_of(const Scene& scene, ProgressMonitor* watch) {
  Json json{{"format", kFormat}, {"version", kVersion}};
  json["workspace"] = scene.workspace;
  json["palette"] = scene.palette;
  if (scene.custom_palettes) {
    json["own_palettes"] = Json::array();
    for (const CustomPalette& one : *scene.custom_palettes)
      json["own_palettes"].push_back(to_json(one.recipe));
  }
  std::string packed;
  for (const auto& [id, state] : scene.states) json[id] = state->to_json({packed, watch});
  json["places"] = to_json(scene.bookmarks);
  if (watch != nullptr && watch->cancelled()) throw OperationCancelled();
  std::string bytes = json.dump(1, ' ', true, Json::error_handler_t::replace) + "\n";
  if (!packed.empty()) (bytes += '\0') += packed;
  return bytes;
}

Scene read_bytes(std::string_view bytes, Formats formats, const CapacityCheck& check,
                 ProgressMonitor* watch) {
  const std::string_view text = json_part(bytes);
  const std::string_view packed = bytes.substr(std::min(text.size() + 1, bytes.size()));
  const Json document = bench::parse_json(text, {}, watch);
  const bool is_scene = document.is_object() && document.contains("format") && document["format"] == kFormat;
  if (!is_scene) throw InputError("it is not a scene of Fractal Loom");
  const JsonReader json(document, "scene");
  const int version = json.whole<int>("version");
  if (version != kVersion) throw InputError(fmt::format("its version is {}; allowed: {}", version, kVersion));
  Scene scene;
  scene.workspace = find_format(formats, json.text("workspace")).id;
  read_palettes(json, scene);
  const ReadContext context{packed, check, watch};
  for (const WorkspaceFormat& format : formats) {
    const std::string id(format.id);
    // A scene may lack workspaces that it does not show.
    scene.states[id] = json.has(id.c_str()) || id == scene.workspace
                           ? format.read(json.object(id.c_str()), context)
                           : format.default_state();
  }
  scene.bookmarks = read_bookmarks(json.array("places"), "scene.places", formats);
  return scene;
}

}  // namespace loom::app::scene
