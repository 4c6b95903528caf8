#include "app/workspaces/life/document/life_state.h"

#include <fmt/format.h>
#include <zstd.h>

#include <algorithm>
#include <new>
#include <nlohmann/json.hpp>
#include <utility>

#include "app/exercises/exercise.h"
#include "app/settings/field_json.h"
#include "compute/core/error.h"
#include "compute/core/input_text.h"
#include "compute/core/integer_math.h"
#include "compute/distributed/partitioning.h"
#include "compute/map/map_method.h"
#include "compute/map_code/program.h"
#include "compute/workload/rule_text.h"

namespace loom::app {
namespace {

using scene::Json;
using scene::ReadContext;
using scene::WriteContext;

constexpr std::size_t kMaxFractalNameBytes = 64;

Json generator_json(const Generator& generator) {
  Json json{{"s_x", generator.s_x}, {"s_y", generator.s_y}};
  json["offsets"] = Json::array();
  for (const Coord32& at : generator.offsets) json["offsets"].push_back({at.x, at.y});
  for (const Symmetry symmetry : generator.orientations)
    json["orientations"].push_back(loom::name_of(symmetry));
  return json;
}

Generator read_generator(const JsonReader& json) {
  Generator generator;
  const Json& list = json.array("offsets");
  if (list.size() > kMaxReplicas)
    throw InputError(fmt::format("its fractal has more than {} offsets", kMaxReplicas));
  for (const Json& pair : list) {
    const auto is_small = [](const Json& one) {
      return one.is_number_unsigned() && one.get<std::uint64_t>() < kMaxScale;
    };
    if (!pair.is_array() || pair.size() != 2 || !is_small(pair[0]) || !is_small(pair[1])) {
      throw InputError(
          fmt::format("its fractal's offsets are not pairs of whole numbers from 0 to {}", kMaxScale - 1));
    }
    generator.offsets.push_back({pair[0].get<std::uint32_t>(), pair[1].get<std::uint32_t>()});
  }
  if (json.has("orientations")) {
    for (const Json& symmetry : json.array("orientations")) {
      if (!symmetry.is_string()) throw InputError("its fractal's orientations are not texts");
      generator.orientations.push_back(loom::parse_symmetry(symmetry.get<std::string>()));
    }
  }
  generator.s_x = json.whole<std::uint32_t>("s_x");
  generator.s_y = json.whole<std::uint32_t>("s_y");
  return generator;
}

Json fractal_json(const NbbFractal& fractal) {
  Json json{{"name", fractal.name()}};
  if (fractal.generators().size() == 1 && fractal.repeats()) {
    json.update(generator_json(fractal.generators().front()));
    return json;
  }
  json["levels"] = Json::array();
  for (const Generator& generator : fractal.generators()) json["levels"].push_back(generator_json(generator));
  json["repeat"] = fractal.repeats();
  return json;
}

NbbFractal read_nbb_fractal(const JsonReader& json) {
  std::string name = json.text("name");
  const bool has_control = name.find_first_of(std::string_view("\0\n\r\t\x1b\x7f", 6)) != std::string::npos;
  if (name.empty() || name.size() > kMaxFractalNameBytes || has_control) {
    throw InputError(
        fmt::format("its fractal's name is not one of 1 to {} characters", kMaxFractalNameBytes));
  }
  if (!json.has("levels")) return NbbFractal(std::move(name), {read_generator(json)});
  const Json& list = json.array("levels");
  if (list.size() > kMaxLevels)
    throw InputError(fmt::format("its fractal has more than {} levels", kMaxLevels));
  std::vector<Generator> generators;
  for (const Json& level : list)
    generators.push_back(read_generator(JsonReader(level, "its fractal's level")));
  return NbbFractal(std::move(name), std::move(generators), json.yes_no("repeat"));
}

/// Restores the exact value; readers check that it is finite.
Json view_json(const render::Camera::View& view) {
  const auto axis = [&](int i) {
    return Json{{"anchor", view.anchor[i]},
                {"pixel", view.pixel[i]},
                {"cells_per_pixel", view.scale[i]},
                {"pixels", view.picture[i]}};
  };
  return {{"x", axis(0)}, {"y", axis(1)}};
}

render::Camera::View read_camera_view(const JsonReader& json) {
  render::Camera::View view;
  const auto read_axis = [&](int i, const JsonReader& axis) {
    view.anchor[i] = axis.real("anchor");
    view.pixel[i] = axis.real("pixel");
    view.scale[i] = axis.number("cells_per_pixel");
    view.picture[i] = axis.whole<int>("pixels");
    if (view.scale[i] <= 0 || view.picture[i] < 1) throw InputError("its view of the cells has no size");
  };
  read_axis(0, json.object("x"));
  read_axis(1, json.object("y"));
  return view;
}

constexpr const char* kFromStart = "start";
constexpr const char* kFromBits = "bits";
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
    const bool itself = field.key == "map" || field.key == "storage";
    if (const auto text = field.text(itself ? method : all)) json[std::string(field.key)] = *text;
  }
  return json;
}

MapMethod read_method(const JsonReader& json) {
  MapMethod method;
  read_fields(json, method_fields(), method);
  return method;
}

Json pane_json(const PaneSpec& pane) {
  Json json{{"shows", name_of(pane.shows)}};
  if (pane.shows != PaneContent::kCells) return json;
  json["block"] = pane.tile_size;
  json["method"] = method_json(pane.method);
  json["backend"] = nullptr;
  if (pane.backend) json["backend"] = name_of(*pane.backend);
  if (pane.devices > 1) json["devices"] = pane.devices;
  return json;
}

// A missing member means one device.
std::uint32_t read_devices(const JsonReader& json, const FractalConfig& config) {
  if (!json.has("devices")) return 1;
  const auto devices = static_cast<std::uint32_t>(json.within("devices", 1, scene::kMaxDevices));
  if (devices == 1) return 1;
  if (const std::string why = partition_problem(config, devices); !why.empty())
    throw InputError(fmt::format("its cells cannot be on {} devices: {}", devices, why));
  return devices;
}

PaneSpec read_pane(const JsonReader& json, const FractalConfig& scene) {
  PaneSpec pane{.shows = parse_choice("pane", json.text("shows"), kPaneContents), .method = {}};
  if (pane.shows != PaneContent::kCells) return pane;
  pane.tile_size = json.whole<std::uint32_t>("block");
  pane.method = read_method(json.object("method"));
  if (!json.is_null("backend")) pane.backend = parse_backend(json.text("backend"));
  FractalConfig config = scene;
  config.tile_size = pane.tile_size;
  config.method = pane.method;
  validate(config);
  pane.devices = read_devices(json, config);
  return pane;
}

Json view_json(const std::optional<render::Camera::View>& view) {
  Json json{{"view", nullptr}};
  if (view) json["view"] = view_json(*view);
  return json;
}

std::optional<render::Camera::View> read_view(const JsonReader& json) {
  if (json.is_null("view")) return std::nullopt;
  return read_camera_view(json.object("view"));
}

Json cells_json(const CellSource& cells, std::uint64_t count, const WriteContext& context) {
  check_can_be_saved(cells, count);
  Json json{{"generation", cells.generation()}};
  if (!cells.bits()) {
    json["from"] = kFromStart;
    add_fields(json, start_fields(), cells.start());
    add_fields(json, work_fields(), cells.work());
    return json;
  }
  const ProgressScope call(context.watch, kParts);
  json["from"] = kFromBits;
  const CellBits& bits = *cells.bits();
  const Census census = census_of(bits);
  json["count"] = bits.count;
  if (bits.planes() > 1) json["planes"] = bits.planes();
  json["population"] = census.population;
  json["hash"] = fmt::format("{:016x}", census.hash);
  call.advance(1);
  call.part(kParts - 1, [&] { context.packed = pack(bits, context.watch); });
  return json;
}

CellSource read_cells(const JsonReader& json, const FractalConfig& config, const ReadContext& reading) {
  const auto& [packed, check, watch] = reading;
  const auto generation = json.whole<std::uint64_t>("generation");
  const std::string from = json.text("from");
  const std::uint64_t count = config.fractal.cells(config.level);
  if (from == kFromStart) {
    RandomStart start;
    Work work;
    read_fields(json, start_fields(), start);
    read_fields(json, work_fields(), work);
    const CellSource cells(start, work, generation);
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
  const auto planes = json.has("planes") ? static_cast<std::uint32_t>(json.within("planes", 1, 8)) : 1;
  auto bits = std::make_shared<CellBits>(unpack(packed, count, planes, watch));
  const Census census = census_of(*bits);
  const std::string hash = fmt::format("{:016x}", census.hash);
  if (json.text("hash") != hash || json.whole<std::uint64_t>("population") != census.population) {
    throw InputError(fmt::format("its cells are damaged: their hash is {}, not {}", hash, json.text("hash")));
  }
  return {std::move(bits), generation};
}

void read_custom_map(const JsonReader& json, LifeSettings& life) {
  MapCode code{json.text("code"), json.text("exercise")};
  if (code.text.size() > kMaxMapCode)
    throw InputError(
        fmt::format("its custom map has {} bytes; allowed: up to {}", code.text.size(), kMaxMapCode));
  // Only the program's own exercises: a scene names no other file.
  const auto& known = bundled_exercises();
  if (std::ranges::find(known, code.exercise, &BundledExercise::name) == known.end()) code.exercise.clear();
  life.map_code = std::make_shared<const MapCode>(std::move(code));
  life.show_code = json.yes_no("shown");
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
  Json json = Json::object();
  json["fractal"] = fractal_json(life.config.fractal);
  const auto& file = life.from_file;
  if (file && file->rule && file->fractal == life.config.fractal)
    json["fractal_rule"] = to_string(*file->rule);
  json["method"] = method_json(life.config.method);
  if (life.devices > 1) json["devices"] = life.devices;
  json["panes"] = Json::array();
  for (const PaneSpec& pane : life.secondary_panes) json["panes"].push_back(pane_json(pane));
  add_fields(json, life_fields(), life);
  json["pinned"] = nullptr;
  if (life.pinned) json["pinned"] = {life.pinned->x, life.pinned->y};
  if (life.map_code)
    json["custom_map"] = {
        {"code", life.map_code->text}, {"exercise", life.map_code->exercise}, {"shown", life.show_code}};
  json.update(view_json(view));
  json["cells"] = cells_json(cells, life.config.fractal.cells(life.config.level), context);
  return json;
}

std::string LifeState::description() const {
  return fmt::format("{}, level {}, generation {}", settings.config.fractal.name(), settings.config.level,
                     cells.generation());
}

std::string LifeState::file_stem() const {
  return fmt::format("{}-level-{}", settings.config.fractal.name(), settings.config.level);
}

std::string LifeState::overlays_left_out() const {
  const bool over_cells = settings.show_ages || settings.colouring.by != explain::ColourBy::kState;
  return over_cells ? "Ages, trails and thread colours" : "";
}

scene::StatePtr LifeState::read(const JsonReader& json, const scene::ReadContext& context) {
  auto state = std::make_shared<LifeState>();
  LifeSettings& life = state->settings;
  life.config.fractal = read_nbb_fractal(json.object("fractal"));
  // Optional: most fractals have none.
  if (json.has("fractal_rule"))
    life.from_file = FractalFile{life.config.fractal, parse_rule(json.text("fractal_rule"))};
  for (const char* needed : {"level", "block"}) json.any(needed);
  read_fields(json, life_fields(), life);
  life.config.method = read_method(json.object("method"));
  validate(life.config);
  check_work(life.config, life.work());
  life.devices = read_devices(json, life.config);
  if (const std::string why = distributed_work_problem(life.work()); life.devices > 1 && !why.empty())
    throw InputError(why);
  life.secondary_panes.clear();
  const Json& panes = json.array("panes");
  if (panes.size() >= kMaxPanes)
    throw InputError(fmt::format("it has more than {} secondary panes", kMaxPanes));
  for (std::size_t i = 0; i < panes.size(); ++i) {
    life.secondary_panes.push_back(
        read_pane(JsonReader(panes[i], fmt::format("life.panes[{}]", i)), life.config));
  }
  // Recordings are not saved, so colouring by worker is not available.
  if (life.colouring.by == explain::ColourBy::kWorker) life.colouring.by = explain::ColourBy::kState;
  if (life.colouring.level > std::max(1, life.config.level)) {
    throw InputError(fmt::format("its colour_level is {}; allowed: 1 to {}", life.colouring.level,
                                 std::max(1, life.config.level)));
  }
  life.pinned = read_pinned(json, life.config);
  if (json.has("custom_map")) read_custom_map(json.object("custom_map"), life);
  state->view = read_view(json);
  state->cells = read_cells(json.object("cells"), life.config, context);
  return state;
}

Json LifeState::read_place(const JsonReader& json) {
  return loom::app::to_json(read_life_place(json));
}

std::string LifeState::describe_place(const Json& place) {
  return describe(read_life_place(JsonReader(place, "place")));
}

LifePlace read_life_place(const JsonReader& json) {
  LifePlace place{.fractal = read_nbb_fractal(json.object("fractal")), .level = json.level("level")};
  if (place.level > place.fractal.max_level())
    throw InputError(fmt::format("{} has a level that its fractal does not have", json.where()));
  place.view = read_view(json);
  return place;
}

Json to_json(const LifePlace& place) {
  Json json{{"fractal", fractal_json(place.fractal)}, {"level", place.level}};
  json.update(view_json(place.view));
  return json;
}

std::string describe(const LifePlace& place) {
  return fmt::format("{}, level {}{}", place.fractal.name(), place.level, place.view ? ", region" : "");
}

namespace {

/// Higher levels take longer and hardly reduce the size of living cells.
constexpr int kCompression = 3;

struct FreeContext {
  void operator()(ZSTD_CCtx* context) const { ZSTD_freeCCtx(context); }
};

std::uint64_t parts_for(std::uint64_t bytes) {
  return bytes / (kPackedCells / 8) + (bytes % (kPackedCells / 8) != 0 ? 1 : 0);
}

/// A result of Zstandard, unless it is an error.
std::size_t checked(std::size_t result) {
  if (ZSTD_isError(result) != 0)
    throw InputError(fmt::format("its cells cannot be unpacked: {}", ZSTD_getErrorName(result)));
  return result;
}

std::vector<std::string_view> parts_of(std::string_view frames) {
  std::vector<std::string_view> parts;
  while (!frames.empty()) {
    parts.push_back(frames.substr(0, checked(ZSTD_findFrameCompressedSize(frames.data(), frames.size()))));
    frames.remove_prefix(parts.back().size());
  }
  return parts;
}

}  // namespace

std::string pack(const CellBits& bits, ProgressMonitor* watch) {
  const std::unique_ptr<ZSTD_CCtx, FreeContext> context(ZSTD_createCCtx());
  if (!context) throw std::bad_alloc();
  ZSTD_CCtx_setParameter(context.get(), ZSTD_c_compressionLevel, kCompression);
  ZSTD_CCtx_setParameter(context.get(), ZSTD_c_checksumFlag, 1);
  constexpr std::size_t kPart = kPackedCells / 8;
  std::string frames;
  const ProgressScope call(watch, bits.bytes.size());
  for (std::size_t at = 0; at < bits.bytes.size(); at += kPart) {
    call.check();
    const std::size_t size = std::min(kPart, bits.bytes.size() - at);
    const std::size_t before = frames.size();
    frames.resize(before + ZSTD_compressBound(size));
    const std::size_t packed =
        ZSTD_compress2(context.get(), &frames[before], frames.size() - before, bits.bytes.data() + at, size);
    if (ZSTD_isError(packed) != 0)
      throw std::bad_alloc();  // the output buffer is large enough, so only memory can be missing
    frames.resize(before + packed);
    call.advance(size);
  }
  return frames;
}

CellBits unpack(std::string_view frames, std::uint64_t count, std::uint32_t planes, ProgressMonitor* watch) {
  const std::vector<std::string_view> parts = parts_of(frames);
  const std::uint64_t plane = bytes_of_bits(count);
  const std::uint64_t bytes = saturating_multiply(planes, plane);
  if (parts.size() != parts_for(bytes))
    throw InputError(fmt::format("{} parts of cells instead of {}", parts.size(), parts_for(bytes)));
  CellBits bits{.count = count, .bytes = {}};
  bits.bytes.resize(static_cast<std::size_t>(bytes));
  const ProgressScope call(watch, bits.bytes.size());
  std::size_t at = 0;
  for (const std::string_view part : parts) {
    call.check();
    const std::size_t size = std::min<std::size_t>(kPackedCells / 8, bits.bytes.size() - at);
    const std::size_t unpacked = checked(ZSTD_decompress(&bits.bytes[at], size, part.data(), part.size()));
    if (unpacked != size)
      throw InputError(fmt::format("a part of its cells has {} bytes instead of {}", unpacked, size));
    at += size;
    call.advance(size);
  }
  for (std::uint64_t last = plane - 1; last < bits.bytes.size(); last += plane) {
    if (count % 8 != 0 && bits.bytes[last] >> (count % 8) != 0)
      throw InputError("it has bits that are not cells");
  }
  return bits;
}

}  // namespace loom::app
