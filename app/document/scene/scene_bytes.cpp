#include "app/document/scene/scene_bytes.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "app/bench/json_document.h"
#include "app/document/scene/bookmark_text.h"
#include "app/document/scene/palette_json.h"
#include "compute/core/error.h"

namespace loom::app::scene {
namespace {

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
  for (const WorkspaceFormat* format : formats) {
    if (format->id() == id) return *format;
    ids.push_back(format->id());
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
  if (version != kVersion)
    throw InputError(fmt::format("its version is {}; allowed: {}", version, kVersion));
  Scene scene;
  scene.workspace = find_format(formats, json.text("workspace")).id();
  read_palettes(json, scene);
  const ReadContext context{packed, check, watch};
  for (const WorkspaceFormat* format : formats) {
    const std::string id(format->id());
    // A scene may lack workspaces that it does not show.
    scene.states[id] = json.has(id.c_str()) || id == scene.workspace
                           ? format->read(json.object(id.c_str()), context)
                           : format->default_state();
  }
  scene.bookmarks = read_bookmarks(json.array("places"), "scene.places", formats);
  return scene;
}

}  // namespace loom::app::scene
