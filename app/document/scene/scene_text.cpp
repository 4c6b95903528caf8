#include "app/document/scene/scene_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <utility>

#include "app/bench/json_reader.h"
#include "app/bench/mandelbrot_json.h"
#include "app/document/scene/base64.h"
#include "app/document/scene/bookmark_text.h"
#include "app/document/scene/long_strings.h"
#include "app/document/scene/packed_bits.h"
#include "app/document/scene/palette_json.h"
#include "app/document/scene/scene_part_json.h"
#include "app/workspaces/mandelbrot/scene/pixel_samples.h"
#include "compute/core/error.h"
#include "compute/core/named_choice.h"
#include "compute/distributed/partitioning.h"
#include "compute/map/method_fields.h"
#include "compute/workload/rule_text.h"

namespace loom::app::scene {
namespace {

using Json = nlohmann::ordered_json;
using bench::JsonReader;
using scene::to_json;  // in addition to the overloads below

constexpr const char* kFormat = "fractal-loom scene";
constexpr const char* kFromStart = "start";
constexpr const char* kFromBits = "bits";
constexpr std::array<std::string_view, 2> kWorkspaces = {"life", "mandelbrot"};
// Default for palettes that earlier versions did not have; keeps the appearance of old scenes.
constexpr std::uint32_t kNoCycle = 0;
// Exceeds any real machine; a scene opens on the devices that are available.
constexpr int kMaxDevices = 1024;
/// Maximum size of a compressed part of the cells: base64 makes incompressible data a third longer.
constexpr std::size_t kMaxPackedText = 2 * kPackedCells / 8;

// Progress parts: formatting the text and compressing take about the same time.
constexpr std::uint64_t kParts = 4;

// Writers and readers.

// Also stores fields that the current map does not use, for a later switch to another map. A compact map with
// byte storage has all fields.
Json to_json(const MapMethod& method) {
  MapMethod all = method;
  all.map = MapKind::kCompact;
  all.storage = CellStorage::kBytes;
  Json json = Json::object();
  for (const MethodField& field : method_fields()) {
    const bool itself = field.option == "map" || field.option == "storage";
    if (const auto text = field.text(itself ? method : all)) json[std::string(field.key)] = *text;
  }
  return json;
}

MapMethod read_method(const JsonReader& json) {
  MapMethod method;
  for (const MethodField& field : method_fields()) {
    const std::string key(field.key);
    if (json.has(key.c_str())) field.read(json.text(key.c_str()), method);
  }
  return method;
}

Json to_json(const RandomStart& start) {
  return {{"seed", start.seed}, {"density", start.density}};
}

RandomStart read_start(const JsonReader& json) {
  const RandomStart start{json.whole<std::uint64_t>("seed"), json.number("density")};
  if (start.density > 1) throw InputError("its density is not a number from 0 to 1");
  return start;
}

void add_work(Json& json, const Work& work) {
  json["workload"] = name_of(work.workload);
  json["reduction"] = name_of(work.reduction);
  json["rule"] = to_string(work.rule);
}

Work read_work(const JsonReader& json) {
  return {.workload = parse_workload(json.text("workload")),
          .reduction = parse_reduction(json.text("reduction")),
          .rule = parse_rule(json.text("rule"))};
}

Json to_json(const PaneSpec& pane) {
  Json json{{"shows", name_of(pane.shows)}};
  if (pane.shows != PaneContent::kCells) return json;
  json["block"] = pane.block;
  json["method"] = to_json(pane.method);
  json["backend"] = nullptr;
  if (pane.backend) json["backend"] = name_of(*pane.backend);
  if (pane.devices > 1) json["devices"] = pane.devices;
  return json;
}

PaneContent parse_pane(std::string_view text) {
  std::string names;
  for (const PaneContent shows : kPaneContents) {
    if (text == name_of(shows)) return shows;
    names += (names.empty() ? "" : ", ") + std::string(name_of(shows));
  }
  throw InputError(fmt::format("unknown pane '{}'; allowed: {}", text, names));
}

int within(int value, int lowest, int highest, const char* what) {
  if (value < lowest || value > highest) {
    throw InputError(fmt::format("its {} is {}; allowed: {} to {}", what, value, lowest, highest));
  }
  return value;
}

// A missing member means one device, as in files of earlier versions.
std::uint32_t read_devices(const JsonReader& json, const FractalConfig& config) {
  if (!json.has("devices")) return 1;
  const auto devices =
      static_cast<std::uint32_t>(within(json.whole<int>("devices"), 1, kMaxDevices, "devices"));
  if (devices == 1) return 1;
  if (const std::string why = why_not_partitionable(config, devices); !why.empty())
    throw InputError(fmt::format("its cells cannot be on {} devices: {}", devices, why));
  return devices;
}

PaneSpec read_pane(const JsonReader& json, const FractalConfig& scene) {
  PaneSpec pane{.shows = parse_pane(json.text("shows")), .method = {}};
  if (pane.shows != PaneContent::kCells) return pane;
  pane.block = json.whole<std::uint32_t>("block");
  pane.method = read_method(json.object("method"));
  if (!json.is_null("backend")) pane.backend = parse_backend(json.text("backend"));
  FractalConfig config = scene;
  config.block = pane.block;
  config.method = pane.method;
  validate(config);
  pane.devices = read_devices(json, config);
  return pane;
}

// One table for writing and reading keeps both consistent.
struct LifeFlag {
  const char* key;
  bool LifeSettings::*member;
};
constexpr std::array kLifeFlags = {
    LifeFlag{"playing", &LifeSettings::playing},         LifeFlag{"cell_grid", &LifeSettings::cell_grid},
    LifeFlag{"block_grid", &LifeSettings::tile_grid},    LifeFlag{"edit_cells", &LifeSettings::edit_cells},
    LifeFlag{"show_thread", &LifeSettings::show_thread},
};
struct MandelbrotFlag {
  const char* key;
  bool MandelbrotSettings::*member;
};
constexpr std::array kMandelbrotFlags = {
    MandelbrotFlag{"measure", &MandelbrotSettings::measure},
    MandelbrotFlag{"orbit", &MandelbrotSettings::orbit},
    MandelbrotFlag{"julia", &MandelbrotSettings::julia},
    MandelbrotFlag{"show_model", &MandelbrotSettings::show_model},
    MandelbrotFlag{"show_timeline", &MandelbrotSettings::show_timeline},
};

// Packed cells make up most of a file. They are kept outside the JSON document, which does not need to
// inspect them.
Json cells_json(const FieldCells& cells, std::uint64_t count, std::vector<std::string>& frames,
                ProgressMonitor* watch) {
  check_can_be_saved(cells, count);
  Json json{{"generation", cells.generation}};
  if (!cells.bits) {
    json["from"] = kFromStart;
    json.update(to_json(cells.start));
    add_work(json, cells.work);
    return json;
  }
  const ProgressScope call(watch, kParts);
  json["from"] = kFromBits;
  const Census census = census_of(*cells.bits);
  json["count"] = cells.bits->count;
  json["population"] = census.population;
  json["hash"] = fmt::format("{:016x}", census.hash);
  json["bits"] = Json::array();  // placeholder; with_frames() inserts the frames
  call.advance(1);
  call.part(kParts - 1, [&] { frames = pack(*cells.bits, watch); });
  return json;
}

// Inserts the frames as a list of strings, formatted as by dump(). The insertion point is unique: only there
// is a line an empty list of bits, because JSON strings contain no line breaks.
std::string with_frames(std::string text, std::vector<std::string> frames, ProgressMonitor* watch) {
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

/// Input of the readers: the strings extracted from the document, the memory check and the monitor.
struct ReadContext {
  const std::vector<std::string_view>& long_strings;
  const CapacityCheck& check;
  ProgressMonitor* watch;
};

FieldCells read_cells(const JsonReader& json, const FractalConfig& config, const ReadContext& reading) {
  const auto& [long_strings, check, watch] = reading;
  FieldCells cells{.generation = json.whole<std::uint64_t>("generation")};
  const std::string from = json.text("from");
  const std::uint64_t count = config.fractal.cells(config.level);
  if (from == kFromStart) {
    cells.start = read_start(json);
    cells.work = read_work(json);
    if (check) check(config);
    check_can_be_saved(cells, count);
    return cells;
  }
  if (from != kFromBits) throw InputError(fmt::format("unknown cells '{}'; allowed: start, bits", from));
  if (json.whole<std::uint64_t>("count") != count) {
    throw InputError(fmt::format("its cells are not the {} that {} has at level {}", count,
                                 config.fractal.name(), config.level));
  }
  if (check) check(config);
  std::vector<std::string> frames;
  for (const Json& one : json.array("bits")) {
    if (watch != nullptr && watch->cancelled()) throw OperationCancelled();
    auto frame = std::optional<std::string>();
    if (one.is_string()) {
      const auto& text = one.get_ref<const std::string&>();
      const auto part = index_of_placeholder(text);
      const std::string_view packed =
          part && *part < long_strings.size() ? long_strings[*part] : std::string_view(text);
      if (packed.size() > kMaxPackedText)
        throw InputError(fmt::format("a part of its cells has {} characters; allowed: up to {}",
                                     packed.size(), kMaxPackedText));
      frame = from_base64(packed);
    }
    if (!frame) throw InputError("a part of its cells is not base64");
    frames.push_back(std::move(*frame));
  }
  auto bits = std::make_shared<CellBits>(unpack(frames, count, watch));
  const Census census = census_of(*bits);
  const std::string hash = fmt::format("{:016x}", census.hash);
  if (json.text("hash") != hash || json.whole<std::uint64_t>("population") != census.population) {
    throw InputError(fmt::format("its cells are damaged: their hash is {}, not {}", hash, json.text("hash")));
  }
  cells.bits = std::move(bits);
  return cells;
}

Json life_json(const Scene& scene, std::vector<std::string>& frames, ProgressMonitor* watch) {
  const LifeSettings& life = scene.life;
  Json json;
  json["fractal"] = to_json(life.config.fractal);
  const auto& file = life.from_file;
  if (file && file->rule && file->fractal == life.config.fractal)
    json["fractal_rule"] = to_string(*file->rule);
  json["level"] = life.config.level;
  json["block"] = life.config.block;
  json["method"] = to_json(life.config.method);
  if (life.devices > 1) json["devices"] = life.devices;
  json["panes"] = Json::array();
  for (const PaneSpec& pane : life.secondary_panes) json["panes"].push_back(to_json(pane));
  add_work(json, life.work());
  json.update(to_json(life.start));
  json["generations_per_frame"] = life.generations_per_frame;
  json["ms_per_generation"] = life.ms_per_generation;
  for (const LifeFlag& one : kLifeFlags) json[one.key] = life.*one.member;
  json["square_points"] = life.square_points;
  json["show_ages"] = life.show_ages;
  json["neighbour"] = life.neighbour;
  json["colour_by"] = explain::name_of(life.colouring.by);
  json["colour_level"] = life.colouring.level;
  json["pinned"] = nullptr;
  if (life.pinned) json["pinned"] = {life.pinned->x, life.pinned->y};
  json["view"] = nullptr;
  if (scene.life_view)
    json["view"] = {{"x", to_json(scene.life_view->x)}, {"y", to_json(scene.life_view->y)}};
  json["cells"] = cells_json(scene.cells, life.config.fractal.cells(life.config.level), frames, watch);
  return json;
}

std::optional<Coord64> read_pinned(const JsonReader& json, const FractalConfig& config) {
  if (json.is_null("pinned")) return std::nullopt;
  const Json& pair = json.array("pinned");
  const bool is_pair = pair.size() == 2 && pair[0].is_number_unsigned() && pair[1].is_number_unsigned();
  const Coord64 at =
      is_pair ? Coord64{pair[0].get<std::uint64_t>(), pair[1].get<std::uint64_t>()} : Coord64{};
  if (!is_pair || at.x >= config.fractal.width(config.level) || at.y >= config.fractal.height(config.level)) {
    throw InputError("its pinned point does not lie in its square");
  }
  return at;
}

void read_life(const JsonReader& json, Scene& scene, const ReadContext& reading) {
  LifeSettings& life = scene.life;
  life.config.fractal = read_fractal(json.object("fractal"));
  // Optional: missing in the first versions and for most fractals.
  if (json.has("fractal_rule"))
    life.from_file = FractalFile{life.config.fractal, parse_rule(json.text("fractal_rule"))};
  life.config.level = json.whole<int>("level");
  life.config.block = json.whole<std::uint32_t>("block");
  life.config.method = read_method(json.object("method"));
  validate(life.config);
  life.devices = read_devices(json, life.config);
  life.secondary_panes.clear();
  const Json& panes = json.array("panes");
  if (panes.size() >= kMaxPanes)
    throw InputError(fmt::format("it has more than {} secondary panes", kMaxPanes));
  for (std::size_t i = 0; i < panes.size(); ++i) {
    life.secondary_panes.push_back(
        read_pane(JsonReader(panes[i], fmt::format("life.panes[{}]", i)), life.config));
  }
  const Work work = read_work(json);
  life.workload = work.workload;
  life.reduction = work.reduction;
  life.rule = work.rule;
  life.start = read_start(json);
  life.generations_per_frame = static_cast<std::uint32_t>(
      within(json.whole<int>("generations_per_frame"), 1, 64, "generations_per_frame"));
  life.ms_per_generation = static_cast<std::uint32_t>(within(
      json.whole<int>("ms_per_generation"), 0, static_cast<int>(kMaxMsPerGeneration), "ms_per_generation"));
  for (const LifeFlag& one : kLifeFlags) life.*one.member = json.yes_no(one.key);
  life.square_points = json.has("square_points") && json.yes_no("square_points");  // missing in version 1
  life.show_ages = json.has("show_ages") && json.yes_no("show_ages");  // missing in early files of version 2
  life.neighbour = within(json.whole<int>("neighbour"), 0, 7, "neighbour");
  life.colouring = {.by = explain::parse_colour_by(json.text("colour_by"))};
  // Recordings are not saved, so colouring by worker is not available.
  if (life.colouring.by == explain::ColourBy::kWorker) life.colouring.by = explain::ColourBy::kState;
  life.colouring.level =
      within(json.whole<int>("colour_level"), 1, std::max(1, life.config.level), "colour_level");
  life.pinned = read_pinned(json, life.config);
  if (!json.is_null("view")) {
    const JsonReader view = json.object("view");
    scene.life_view = LifeView{read_sight(view.object("x")), read_sight(view.object("y"))};
  }
  scene.cells = read_cells(json.object("cells"), life.config, reading);
}

// Version 1 has no custom palettes and one palette for both workspaces.
void read_palettes(const JsonReader& json, Scene& scene) {
  scene.palette = json.text("palette");
  scene.mandelbrot.palette = scene.palette;
  if (!json.has("own_palettes")) return;
  const Json& all = json.array("own_palettes");
  if (all.size() > kMaxCustomPalettes)
    throw InputError(fmt::format("it has {} palettes; allowed: up to {}", all.size(), kMaxCustomPalettes));
  for (std::size_t i = 0; i < all.size(); ++i) {
    scene.custom_palettes = with_palette(
        scene.custom_palettes, read_palette(JsonReader(all[i], fmt::format("own_palettes[{}]", i))));
  }
}

Json mandelbrot_json(const Scene& scene) {
  const MandelbrotSettings& own = scene.mandelbrot;
  const MandelbrotConfig& config = own.config;
  Json json;
  json["view"] = nullptr;
  if (const auto& view = scene.mandelbrot_view) {
    json["view"] = {{"re", view->re}, {"im", view->im}, {"width", view->width}};
  }
  add_subdivision(json, config);
  json["block"] = {config.block.x, config.block.y};
  json["precision"] = name_of(config.precision);
  json["palette"] = own.palette;
  json["cycle"] = own.cycle;
  json["points"] = own.samples_per_axis;
  json["colouring"] = name_of(own.colouring);
  json["interior"] = name_of(own.interior);
  json["regions"] = name_of(own.overlay);
  json["automatic"] = nullptr;
  if (own.automatic) json["automatic"] = *own.automatic;
  if (own.devices > 1) json["devices"] = own.devices;
  for (const MandelbrotFlag& one : kMandelbrotFlags) json[one.key] = own.*one.member;
  return json;
}

void read_mandelbrot(const JsonReader& json, Scene& scene) {
  MandelbrotSettings& own = scene.mandelbrot;
  MandelbrotConfig& config = own.config;
  if (!json.is_null("view")) {
    const JsonReader view = json.object("view");
    scene.mandelbrot_view = ComplexView{view.real("re"), view.real("im"), view.number("width")};
    if (scene.mandelbrot_view->width <= 0)
      throw InputError("the width of its Mandelbrot view is not above 0");
  }
  read_subdivision(json, config);
  const Json& block = json.array("block");
  const auto is_side = [](const Json& one) {
    return one.is_number_unsigned() && one.get<std::uint64_t>() <= 1024;
  };
  if (block.size() != 2 || !is_side(block[0]) || !is_side(block[1])) {
    throw InputError("mandelbrot.block is not two whole numbers up to 1024");
  }
  config.block = {block[0].get<std::uint32_t>(), block[1].get<std::uint32_t>()};
  config.precision = parse_precision(json.text("precision"));
  validate(config);
  if (json.has("palette")) own.palette = json.text("palette");
  own.cycle = json.has("cycle") ? static_cast<std::uint32_t>(within(json.whole<int>("cycle"), 0,
                                                                    static_cast<int>(kMaxCycle), "cycle"))
                                : kNoCycle;
  own.samples_per_axis = json.has("points") ? json.whole<int>("points") : 1;
  if (std::ranges::find(kSamplesPerAxis, own.samples_per_axis) == kSamplesPerAxis.end())
    throw InputError("its samples per pixel are not 1, 2 or 4 on each axis");
  own.colouring = parse_choice("colouring", json.text("colouring"), kColourings);
  own.interior = parse_choice("interior", json.text("interior"), kInteriorColours);
  own.devices = 1;
  if (json.has("devices")) {
    own.devices = static_cast<std::uint32_t>(within(json.whole<int>("devices"), 1, kMaxDevices, "devices"));
  }
  own.overlay = parse_choice("regions", json.text("regions"), kRegionOverlays);
  own.automatic.reset();
  if (!json.is_null("automatic")) own.automatic = json.yes_no("automatic");
  for (const MandelbrotFlag& one : kMandelbrotFlags) own.*one.member = json.yes_no(one.key);
}

std::size_t parse_workspace(const std::string& name) {
  const auto found = std::find(kWorkspaces.begin(), kWorkspaces.end(), name);
  if (found == kWorkspaces.end())
    throw InputError(fmt::format("unknown workspace '{}'; allowed: life, mandelbrot", name));
  return static_cast<std::size_t>(found - kWorkspaces.begin());
}

}  // namespace

std::string text_of(const Scene& scene, ProgressMonitor* watch) {
  Json json{{"format", kFormat}, {"version", kVersion}};
  json["workspace"] = kWorkspaces.at(scene.workspace);
  json["palette"] = scene.palette;
  if (scene.custom_palettes) {
    json["own_palettes"] = Json::array();
    for (const CustomPalette& one : *scene.custom_palettes)
      json["own_palettes"].push_back(to_json(one.recipe));
  }
  std::vector<std::string> frames;
  json["life"] = life_json(scene, frames, watch);
  json["mandelbrot"] = mandelbrot_json(scene);
  json["places"] = to_json(scene.bookmarks);
  if (watch != nullptr && watch->cancelled()) throw OperationCancelled();
  return with_frames(json.dump(1, ' ', true, Json::error_handler_t::replace) + "\n", std::move(frames),
                     watch);
}

Scene read_text(std::string_view text, const CapacityCheck& check, ProgressMonitor* watch) {
  ExtractedStrings extracted;
  const Json document = parse_with_extracted(text, "/life/cells/bits", extracted, watch);
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
  scene.workspace = parse_workspace(json.text("workspace"));
  read_palettes(json, scene);
  read_mandelbrot(json.object("mandelbrot"), scene);
  read_life(json.object("life"), scene, {extracted.parts, check, watch});
  if (json.has("places")) scene.bookmarks = read_bookmarks(json.array("places"), "scene.places");
  return scene;
}

}  // namespace loom::app::scene
