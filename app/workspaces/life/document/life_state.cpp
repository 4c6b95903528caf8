#include "app/workspaces/life/document/life_state.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "app/document/scene/base64.h"
#include "app/document/scene/long_strings.h"
#include "app/document/scene/scene_part_json.h"
#include "app/workspaces/life/document/packed_bits.h"
#include "compute/core/error.h"
#include "compute/core/named_choice.h"
#include "compute/distributed/partitioning.h"
#include "compute/map/method_fields.h"
#include "compute/workload/rule_text.h"

namespace loom::app {
namespace {

using bench::JsonReader;
using scene::Json;
using scene::ReadContext;
using scene::WriteContext;

constexpr const char* kFromStart = "start";
constexpr const char* kFromBits = "bits";
/// Maximum size of a compressed part of the cells: base64 makes incompressible data a third longer.
constexpr std::size_t kMaxPackedText = 2 * kPackedCells / 8;
// Progress parts: formatting the text and compressing take about the same time.
constexpr std::uint64_t kParts = 4;

// Also stores fields that the current map does not use, for a later switch to another map. A compact map with
// byte storage has all fields.
Json method_json(const MapMethod& method) {
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

Json start_json(const RandomStart& start) {
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

Json pane_json(const PaneSpec& pane) {
  Json json{{"shows", name_of(pane.shows)}};
  if (pane.shows != PaneContent::kCells) return json;
  json["block"] = pane.block;
  json["method"] = method_json(pane.method);
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

// A missing member means one device, as in files of earlier versions.
std::uint32_t read_devices(const JsonReader& json, const FractalConfig& config) {
  if (!json.has("devices")) return 1;
  const auto devices = static_cast<std::uint32_t>(json.within("devices", 1, scene::kMaxDevices));
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

Json view_json(const std::optional<render::Camera::View>& view) {
  Json json{{"view", nullptr}};
  if (view) json["view"] = scene::to_json(*view);
  return json;
}

std::optional<render::Camera::View> read_view(const JsonReader& json) {
  if (json.is_null("view")) return std::nullopt;
  return scene::read_view(json.object("view"));
}

// Packed cells make up most of a file. They are kept outside the JSON document, which does not need to
// inspect them.
Json cells_json(const FieldCells& cells, std::uint64_t count, const WriteContext& context) {
  check_can_be_saved(cells, count);
  Json json{{"generation", cells.generation}};
  if (!cells.bits) {
    json["from"] = kFromStart;
    json.update(start_json(cells.start));
    add_work(json, cells.work);
    return json;
  }
  const ProgressScope call(context.watch, kParts);
  json["from"] = kFromBits;
  const Census census = census_of(*cells.bits);
  json["count"] = cells.bits->count;
  json["population"] = census.population;
  json["hash"] = fmt::format("{:016x}", census.hash);
  json["bits"] = Json::array();  // filled from context.binary_data
  call.advance(1);
  call.part(kParts - 1, [&] { context.binary_data = pack(*cells.bits, context.watch); });
  return json;
}

FieldCells read_cells(const JsonReader& json, const FractalConfig& config, const ReadContext& reading) {
  const auto& [long_strings, check, palette, watch] = reading;
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
      const auto part = scene::index_of_placeholder(text);
      const std::string_view packed =
          part && *part < long_strings.size() ? long_strings[*part] : std::string_view(text);
      if (packed.size() > kMaxPackedText)
        throw InputError(fmt::format("a part of its cells has {} characters; allowed: up to {}",
                                     packed.size(), kMaxPackedText));
      frame = scene::from_base64(packed);
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

}  // namespace

Json LifeState::to_json(const scene::WriteContext& context) const {
  const LifeSettings& life = settings;
  Json json;
  json["fractal"] = scene::to_json(life.config.fractal);
  const auto& file = life.from_file;
  if (file && file->rule && file->fractal == life.config.fractal)
    json["fractal_rule"] = to_string(*file->rule);
  json["level"] = life.config.level;
  json["block"] = life.config.block;
  json["method"] = method_json(life.config.method);
  if (life.devices > 1) json["devices"] = life.devices;
  json["panes"] = Json::array();
  for (const PaneSpec& pane : life.secondary_panes) json["panes"].push_back(pane_json(pane));
  add_work(json, life.work());
  json.update(start_json(life.start));
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
  json.update(view_json(view));
  json["cells"] = cells_json(cells, life.config.fractal.cells(life.config.level), context);
  return json;
}

std::string LifeState::description() const {
  return fmt::format("{}, level {}, generation {}", settings.config.fractal.name(), settings.config.level,
                     cells.generation);
}

std::string LifeState::file_stem() const {
  return fmt::format("{}-level-{}", settings.config.fractal.name(), settings.config.level);
}

std::string LifeState::overlays_left_out() const {
  const bool over_cells = settings.show_ages || settings.colouring.by != explain::ColourBy::kState;
  return over_cells ? "Ages, trails and thread colours" : "";
}

scene::StatePtr LifeFormat::default_state() const {
  return std::make_shared<LifeState>();
}

scene::StatePtr LifeFormat::read(const JsonReader& json, const scene::ReadContext& context) const {
  auto state = std::make_shared<LifeState>();
  LifeSettings& life = state->settings;
  life.config.fractal = scene::read_fractal(json.object("fractal"));
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
  life.generations_per_frame = static_cast<std::uint32_t>(json.within("generations_per_frame", 1, 64));
  life.ms_per_generation =
      static_cast<std::uint32_t>(json.within("ms_per_generation", 0, static_cast<int>(kMaxMsPerGeneration)));
  for (const LifeFlag& one : kLifeFlags) life.*one.member = json.yes_no(one.key);
  life.square_points = json.has("square_points") && json.yes_no("square_points");  // missing in version 1
  life.show_ages = json.has("show_ages") && json.yes_no("show_ages");  // missing in early files of version 2
  life.neighbour = json.within("neighbour", 0, 7);
  life.colouring = {.by = explain::parse_colour_by(json.text("colour_by"))};
  // Recordings are not saved, so colouring by worker is not available.
  if (life.colouring.by == explain::ColourBy::kWorker) life.colouring.by = explain::ColourBy::kState;
  life.colouring.level = json.within("colour_level", 1, std::max(1, life.config.level));
  life.pinned = read_pinned(json, life.config);
  state->view = read_view(json);
  state->cells = read_cells(json.object("cells"), life.config, context);
  return state;
}

Json LifeFormat::read_place(const JsonReader& json) const {
  return to_json(read_life_place(json));
}

std::string LifeFormat::describe_place(const Json& place) const {
  return describe(read_life_place(JsonReader(place, "place")));
}

LifePlace read_life_place(const JsonReader& json) {
  LifePlace place{.fractal = scene::read_fractal(json.object("fractal")), .level = json.level("level")};
  if (place.level > place.fractal.max_level())
    throw InputError(fmt::format("{} has a level that its fractal does not have", json.where()));
  place.view = read_view(json);
  return place;
}

Json to_json(const LifePlace& place) {
  Json json{{"fractal", scene::to_json(place.fractal)}, {"level", place.level}};
  json.update(view_json(place.view));
  return json;
}

std::string describe(const LifePlace& place) {
  return fmt::format("{}, level {}{}", place.fractal.name(), place.level, place.view ? ", region" : "");
}

}  // namespace loom::app
