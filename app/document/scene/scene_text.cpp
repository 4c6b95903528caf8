#include "app/document/scene/scene_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <utility>

#include "app/document/scene/base64.h"
#include "app/document/scene/bookmark_text.h"
#include "app/document/scene/long_strings.h"
#include "app/document/scene/palette_json.h"
#include "compute/core/error.h"

namespace loom::app::scene {
namespace {

constexpr const char* kFormat = "fractal-loom scene";

// Inserts the binary data as a list of strings, formatted as by dump(). The insertion point is unique: only
// there is a line an empty list of bits, because JSON strings contain no line breaks.
std::string with_binary_data(std::string text, std::vector<std::string> frames, ProgressMonitor* watch) {
  if (frames.empty()) return text;
  constexpr std::string_view kEmpty = "\n   \"bits\": []";
  const std::size_t at = text.find(kEmpty) + kEmpty.size() - 1;
  const std::string tail = text.substr(at);
  text.resize(at);
  std::size_t more = tail.size();
  for (const std::string& frame : frames) more += frame.size() / 3 * 4 + 16;
  text.reserve(at + more);
  for (std::string& frame : frames) {
    if (watch != nullptr && watch->cancelled()) throw OperationCancelled();
    text += &frame == frames.data() ? "\n    \"" : ",\n    \"";
    add_base64(std::exchange(frame, {}), text);
    text += '"';
  }
  text += "\n   ";
  text += tail;
  return text;
}

std::string place_of_binary_data(Formats formats) {
  for (const WorkspaceFormat* format : formats) {
    if (!format->binary_data().empty()) return fmt::format("/{}{}", format->id(), format->binary_data());
  }
  return {};
}

// Version 1 has no custom palettes.
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
  for (const WorkspaceFormat* format : formats) {
    if (format->id() == id) return *format;
    ids.push_back(format->id());
  }
  throw InputError(fmt::format("unknown workspace '{}'; allowed: {}", id, fmt::join(ids, ", ")));
}

std::string text_of(const Scene& scene, ProgressMonitor* watch) {
  Json json{{"format", kFormat}, {"version", kVersion}};
  json["workspace"] = scene.workspace;
  json["palette"] = scene.palette;
  if (scene.custom_palettes) {
    json["own_palettes"] = Json::array();
    for (const CustomPalette& one : *scene.custom_palettes)
      json["own_palettes"].push_back(to_json(one.recipe));
  }
  std::vector<std::string> binary_data;
  for (const auto& [id, state] : scene.states) json[id] = state->to_json({binary_data, watch});
  json["places"] = to_json(scene.bookmarks);
  if (watch != nullptr && watch->cancelled()) throw OperationCancelled();
  return with_binary_data(json.dump(1, ' ', true, Json::error_handler_t::replace) + "\n",
                          std::move(binary_data), watch);
}

Scene read_text(std::string_view text, Formats formats, const CapacityCheck& check, ProgressMonitor* watch) {
  ExtractedStrings extracted;
  const Json document = parse_with_extracted(text, place_of_binary_data(formats).c_str(), extracted, watch);
  const bool is_scene = document.is_object() && document.contains("format") && document["format"] == kFormat;
  if (!is_scene) throw InputError("it is not a scene of Fractal Loom");
  const JsonReader json(document, "scene");
  const int version = json.whole<int>("version");
  if (version > kVersion) {
    throw InputError(fmt::format(
        "it was written by a newer version of the program (scene version {}; this one reads up to {})",
        version, kVersion));
  }
  if (version < 1) throw InputError("its version is 0; allowed: at least 1");
  Scene scene;
  scene.workspace = find_format(formats, json.text("workspace")).id();
  read_palettes(json, scene);
  const ReadContext context{extracted.parts, check, scene.palette, watch};
  for (const WorkspaceFormat* format : formats) {
    const std::string id(format->id());
    // A scene of an earlier version lacks the workspaces that were added later.
    scene.states[id] = json.has(id.c_str()) || id == scene.workspace
                           ? format->read(json.object(id.c_str()), context)
                           : format->default_state();
  }
  if (json.has("places")) scene.bookmarks = read_bookmarks(json.array("places"), "scene.places", formats);
  return scene;
}

}  // namespace loom::app::scene
