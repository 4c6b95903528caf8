#include "compute/map/method_fields.h"

#include <array>

#include "compute/map/tiling.h"

namespace loom {
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
