#include "compute/map/map_method.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "compute/core/field.h"
#include "compute/core/input_text.h"
#include "compute/geometry/bit_planes.h"
#include "compute/geometry/stored_cells.h"
#include "compute/map/tiling.h"

namespace loom {

std::string_view name_of(MapKind map) {
  return value_for<MapKind::kCompact>({"bounding-box", "lambda", "compact"}, map);
}

MapKind parse_map(std::string_view name) {
  return parse_choice("map", name, kMapKinds);
}

std::string_view name_of(MapArithmetic arithmetic) {
  return value_for<MapArithmetic::kTensorFp16>(
      {"loop", "shuffle", "table", "tensor-1", "tensor-2", "tensor-3", "tensor", "tensor-fp16"}, arithmetic);
}

std::string_view name_of(IntraBlock intra_block) {
  return value_for<IntraBlock::kLookup>({"sub-box", "unrolled", "lookup"}, intra_block);
}

std::string_view name_of(Counting counting) {
  return value_for<Counting::kTensor>({kAutoWord.data(), "direct", "sums", "bits", "tensor"}, counting);
}

namespace {

/// The side of the coordinate matrices of tensor-3.
constexpr std::uint32_t kLargestTensor3Side = 32;

bool has_arithmetic(MapKind map, MapArithmetic arithmetic) {
  switch (arithmetic) {
    case MapArithmetic::kTensor1:
    case MapArithmetic::kTensor2:
    case MapArithmetic::kTensor3:
      return map == MapKind::kLambda;
    case MapArithmetic::kTensor:
      return map == MapKind::kCompact;
    default:
      return map != MapKind::kBoundingBox;
  }
}

std::string arithmetic_problem(const MapMethod& method, const TiledFractal& fractal) {
  if (fractal.is_turned() && method.arithmetic == MapArithmetic::kShuffle) {
    return "the warp shuffle adds levels in any order, and the orientation of turned replicas depends on the "
           "order; allowed: loop, table";
  }
  if (!fractal.is_uniform() && is_tensor(method.arithmetic)) {
    return fmt::format(
        "tensor cores multiply with the weights of one generator, and this fractal {}; allowed: {}",
        fractal.is_turned() ? "has turned replicas" : "has several",
        fractal.is_turned() ? "loop, table" : "loop, shuffle, table");
  }
  if (!has_arithmetic(method.map, method.arithmetic)) {
    std::vector<std::string_view> names;
    for (const MapArithmetic allowed : arithmetics_of(method.map)) names.push_back(name_of(allowed));
    return fmt::format("{} is not an arithmetic of the {} map; allowed: {}", name_of(method.arithmetic),
                       name_of(method.map), fmt::join(names, ", "));
  }
  if (method.arithmetic == MapArithmetic::kTensor3 &&
      std::max(fractal.rho_x, fractal.rho_y) > kLargestTensor3Side) {
    return fmt::format("tensor-3 is not possible for tiles of {1} x {2}; allowed: tiles of at most {0} x {0}",
                       kLargestTensor3Side, fractal.rho_x, fractal.rho_y);
  }
  if (method.arithmetic == MapArithmetic::kTensor2 &&
      4 * threads_per_tile(method, fractal) > kMaxBlockThreads) {
    return fmt::format(
        "tensor-2 puts four tiles into one thread block, here of 4 x {} threads; allowed: at most {}",
        threads_per_tile(method, fractal), kMaxBlockThreads);
  }
  return {};
}

std::string bit_plane_problem(const TiledFractal& fractal) {
  if (fractal.is_turned())
    return "bit planes need replicas that are not turned; allowed with this fractal: --storage bytes";
  return why_no_planes(fractal);
}

}  // namespace

bool is_same_execution(const MapMethod& a, const MapMethod& b) {
  if (a.map != b.map || a.storage != b.storage) return false;
  if (a.storage == CellStorage::kBits) return true;
  if (a.tiles != b.tiles || a.counting != b.counting) return false;
  if (a.map == MapKind::kBoundingBox) return true;
  if (a.map == MapKind::kCompact && a.halo != b.halo) return false;
  return a.arithmetic == b.arithmetic && a.intra_block == b.intra_block;
}

std::string to_string(const MapMethod& method) {
  std::string text = fmt::format("--map {}", name_of(method.map));
  if (method.storage == CellStorage::kBits) return text + " --storage bits";
  if (method.map != MapKind::kBoundingBox) {
    text += fmt::format(" --arithmetic {} --intra-block {}", name_of(method.arithmetic),
                        name_of(method.intra_block));
  }
  if (method.tiles != 0) text += fmt::format(" --tiles {}", method.tiles);
  if (method.counting != Counting::kAuto) text += fmt::format(" --counting {}", name_of(method.counting));
  return text;
}

std::vector<MapArithmetic> arithmetics_of(MapKind map) {
  std::vector<MapArithmetic> allowed;
  for (const MapArithmetic arithmetic : kMapArithmetics) {
    if (has_arithmetic(map, arithmetic)) allowed.push_back(arithmetic);
  }
  return allowed;
}

std::uint32_t threads_per_tile(const MapMethod& method, const TiledFractal& fractal) {
  const bool box = method.map == MapKind::kBoundingBox || method.intra_block == IntraBlock::kSubBox;
  return box ? fractal.points_per_tile() : fractal.tile_cells;
}

std::string method_problem(const MapMethod& method, const TiledFractal& fractal) {
  if (method.storage == CellStorage::kBits) {
    if (method.map == MapKind::kCompact) return bit_plane_problem(fractal);
    if (method.map == MapKind::kBoundingBox) return {};
    return "the lambda map has no bit-packed storage; allowed with --storage bits: compact, bounding-box";
  }
  if (method.map != MapKind::kBoundingBox) {
    if (std::string reason = arithmetic_problem(method, fractal); !reason.empty()) return reason;
  }
  if (method.tiles == 0) return {};
  const auto allowed = allowed_tiles(method, fractal);
  if (std::find(allowed.begin(), allowed.end(), method.tiles) != allowed.end()) return {};
  return fmt::format("{} tiles per thread block are not possible here; allowed: auto, {}", method.tiles,
                     fmt::join(allowed, ", "));
}

std::uint64_t bytes_of_generation(const MapMethod& method, const TiledFractal& fractal) {
  if (method.storage == CellStorage::kBits) {
    if (method.map != MapKind::kCompact) return bytes_of_rows(fractal);
    return bytes_of_planes(fractal);
  }
  return storage_places(layout_of(method.map), fractal);
}

MapMethod nearest_valid(const MapMethod& method, const TiledFractal& fractal) {
  MapMethod valid = method;
  if (valid.storage == CellStorage::kBits) {
    if (method_problem(valid, fractal).empty()) return valid;
    valid.storage = CellStorage::kBytes;
  }
  if (method.map != MapKind::kBoundingBox && !arithmetic_problem(valid, fractal).empty()) {
    if (!fractal.is_uniform()) {
      valid.arithmetic = MapArithmetic::kTable;
    } else {
      valid.arithmetic = method.map == MapKind::kCompact ? MapArithmetic::kTensor : MapArithmetic::kTensor1;
    }
  }
  if (valid.tiles != 0) {
    const auto allowed = allowed_tiles(valid, fractal);
    std::uint32_t nearest = allowed.front();
    for (const std::uint32_t tiles : allowed) {
      if (tiles <= valid.tiles) nearest = tiles;
    }
    valid.tiles = nearest;
  }
  return valid;
}

namespace {

using MethodRow = FieldOf<MapMethod>;
using MethodText = std::optional<std::string>;

bool has_tiles(const MapMethod& method) {
  return method.storage == CellStorage::kBytes;
}
bool computes_a_map(const MapMethod& method) {
  return has_tiles(method) && method.map != MapKind::kBoundingBox;
}
bool is_compact(const MapMethod& method) {
  return has_tiles(method) && method.map == MapKind::kCompact;
}

/// A field that only some methods use.
constexpr MethodField only_if(bool (*applies)(const MapMethod&), std::string_view applies_with,
                              MethodField field, MethodText (*text)(const MapMethod&)) {
  field.applies = applies;
  field.applies_with = applies_with;
  field.text = text;
  return field;
}

constexpr MethodField tiles_field() {
  MethodField field = MethodRow::whole<&MapMethod::tiles>({.key = "tiles",
                                                           .option = "tiles",
                                                           .label = "tiles per thread block",
                                                           .purpose = "Tiles per thread block of the GPU",
                                                           .in_lesson = true,
                                                           .has_auto = true,
                                                           .lowest = 1,
                                                           .highest = kMaxTiles});
  field.assign = [](std::string_view text, MapMethod& method) {
    method.tiles = 0;  // the value of kAutoWord, which from_chars() does not read
    std::from_chars(text.data(), text.data() + text.size(), method.tiles);
  };
  return only_if(has_tiles, "--storage bytes", field, [](const MapMethod& method) -> MethodText {
    if (!has_tiles(method)) return std::nullopt;
    return method.tiles == 0 ? std::string(kAutoWord) : std::to_string(method.tiles);
  });
}

constexpr MethodField counting_field() {
  MethodField field = only_if(has_tiles, "--storage bytes",
                              MethodRow::choice<&MapMethod::counting, kCountings>(
                                  {.key = "counting",
                                   .option = "counting",
                                   .label = "counting",
                                   .purpose = "How neighbours of rules of Larger than Life are counted",
                                   .in_lesson = true}),
                              [](const MapMethod& method) -> MethodText {
                                if (!has_tiles(method)) return std::nullopt;
                                return std::string(name_of(method.counting));
                              });
  return field;
}

constexpr std::array kMethodFields = {
    MethodRow::choice<&MapMethod::map, kMapKinds>(
        {.key = "map", .option = "map", .label = "map", .purpose = "Thread map", .in_lesson = true}),
    MethodRow::choice<&MapMethod::storage, kCellStorages>({.key = "storage",
                                                           .option = "storage",
                                                           .label = "cell storage",
                                                           .purpose = "How a cell is stored",
                                                           .in_lesson = true,
                                                           .has_auto = true}),
    only_if(is_compact, "--map compact --storage bytes",
            MethodRow::on_off<&MapMethod::halo>(
                {.key = "halo",
                 .option = "halo",
                 .label = "halo",
                 .purpose = "Compact map: stage a tile and its halo in shared memory",
                 .in_lesson = true,
                 .has_auto = true}),
            [](const MapMethod& method) -> MethodText {
              if (!is_compact(method)) return std::nullopt;
              return method.halo ? "on" : "off";
            }),
    only_if(computes_a_map, "--map lambda, or --map compact --storage bytes",
            MethodRow::choice<&MapMethod::arithmetic, kMapArithmetics>(
                {.key = "arithmetic",
                 .option = "arithmetic",
                 .label = "map arithmetic",
                 .purpose = "How lambda and nu are computed",
                 .in_lesson = true,
                 .has_auto = true}),
            [](const MapMethod& method) -> MethodText {
              if (!computes_a_map(method)) return std::nullopt;
              return std::string(name_of(method.arithmetic));
            }),
    only_if(computes_a_map, "--map lambda, or --map compact --storage bytes",
            MethodRow::choice<&MapMethod::intra_block, kIntraBlocks>(
                {.key = "intra_block",
                 .option = "intra-block",
                 .label = "intra-block mapping",
                 .purpose = "How the threads of a tile find their cells",
                 .in_lesson = true,
                 .has_auto = true}),
            // The bounding box is a sub-box by nature.
            [](const MapMethod& method) -> MethodText {
              if (!has_tiles(method)) return std::nullopt;
              return std::string(name_of(computes_a_map(method) ? method.intra_block : IntraBlock::kSubBox));
            }),
    tiles_field(),
    counting_field(),
};

}  // namespace

std::span<const MethodField> method_fields() {
  return kMethodFields;
}

const MethodField* find_method_field(std::string_view option) {
  return find_field(method_fields(), option);
}

std::vector<std::string> values_of(const MethodField& field, const MapMethod& method,
                                   const TiledFractal& fractal) {
  if (field.form != FieldForm::kWhole) return field.names();
  std::vector<std::string> texts;
  for (const std::uint32_t tiles : allowed_tiles(method, fractal)) texts.push_back(std::to_string(tiles));
  return texts;
}

}  // namespace loom
