#include "compute/map/method_fields.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <system_error>

#include "compute/core/error.h"
#include "compute/map/tiling.h"

namespace loom {
namespace {

using Form = MethodField::Form;

bool always(const MapMethod&) {
  return true;
}
bool has_tiles(const MapMethod& method) {
  return method.storage == CellStorage::kBytes;
}
bool computes_a_map(const MapMethod& method) {
  return has_tiles(method) && method.map != MapKind::kBoundingBox;
}
bool is_compact(const MapMethod& method) {
  return has_tiles(method) && method.map == MapKind::kCompact;
}

template <auto kChoices>
std::vector<std::string> names_of_all(const MapMethod&, const TiledFractal&) {
  std::vector<std::string> names;
  for (const auto choice : kChoices) names.emplace_back(name_of(choice));
  return names;
}

template <auto kMember>
void copy_member(const MapMethod& from, MapMethod& to) {
  to.*kMember = from.*kMember;
}

InputError bad_value(std::string_view what, std::string_view text, std::string_view allowed) {
  return InputError(fmt::format("{} '{}' is not allowed; allowed: {}", what, text, allowed));
}

void read_halo(std::string_view text, MapMethod& method) {
  if (text != "on" && text != "off") throw bad_value("halo", text, "on, off");
  method.halo = text == "on";
}

void read_tiles(std::string_view text, MapMethod& method) {
  if (text == kAutoWord) {
    method.tiles = 0;
    return;
  }
  std::uint32_t tiles = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, tiles);
  if (error != std::errc{} || stop != end || tiles < 1 || tiles > kMaxTiles) {
    throw bad_value("tiles", text, fmt::format("auto, or a number from 1 to {}", kMaxTiles));
  }
  method.tiles = tiles;
}

constexpr std::array kFields = {
    MethodField{.option = "map",
                .key = "map",
                .purpose = "Thread map",
                .has_auto = false,
                .varies = always,
                .values = names_of_all<kMapKinds>,
                .read = [](std::string_view text, MapMethod& method) { method.map = parse_map(text); },
                .text = [](const MapMethod& method) -> std::optional<std::string> {
                  return std::string(name_of(method.map));
                },
                .copy = copy_member<&MapMethod::map>},
    MethodField{
        .option = "storage",
        .key = "storage",
        .purpose = "What a cell is held as",
        .varies = always,
        .values = names_of_all<kCellStorages>,
        .read = [](std::string_view text, MapMethod& method) { method.storage = parse_storage(text); },
        .text = [](const MapMethod& method) -> std::optional<std::string> {
          return std::string(name_of(method.storage));
        },
        .copy = copy_member<&MapMethod::storage>},
    MethodField{.option = "halo",
                .key = "halo",
                .form = Form::kSwitch,
                .purpose = "Compact map: stage a block and its rim in shared memory",
                .varies = is_compact,
                .values =
                    [](const MapMethod&, const TiledFractal&) {
                      return std::vector<std::string>{"on", "off"};
                    },
                .read = read_halo,
                .text = [](const MapMethod& method) -> std::optional<std::string> {
                  if (!is_compact(method)) return std::nullopt;
                  return method.halo ? "on" : "off";
                },
                .copy = copy_member<&MapMethod::halo>},
    MethodField{
        .option = "arithmetic",
        .key = "arithmetic",
        .purpose = "How lambda and nu are computed",
        .varies = computes_a_map,
        .values = names_of_all<kMapArithmetics>,
        .read = [](std::string_view text, MapMethod& method) { method.arithmetic = parse_arithmetic(text); },
        .text = [](const MapMethod& method) -> std::optional<std::string> {
          if (!computes_a_map(method)) return std::nullopt;
          return std::string(name_of(method.arithmetic));
        },
        .copy = copy_member<&MapMethod::arithmetic>},
    MethodField{.option = "intra-block",
                .key = "intra_block",
                .purpose = "How a block's threads find their cells",
                .varies = computes_a_map,
                .values = names_of_all<kIntraBlocks>,
                .read = [](std::string_view text,
                           MapMethod& method) { method.intra_block = parse_intra_block(text); },
                // The bounding box is a sub-box by nature.
                .text = [](const MapMethod& method) -> std::optional<std::string> {
                  if (!has_tiles(method)) return std::nullopt;
                  const bool chosen = computes_a_map(method);
                  return std::string(name_of(chosen ? method.intra_block : IntraBlock::kSubBox));
                },
                .copy = copy_member<&MapMethod::intra_block>},
    MethodField{.option = "tiles",
                .key = "tiles",
                .form = Form::kNumber,
                .purpose = "Blocks that share a thread block of the GPU",
                .lowest = 1,
                .highest = kMaxTiles,
                .varies = has_tiles,
                .values =
                    [](const MapMethod& method, const TiledFractal& fractal) {
                      std::vector<std::string> texts;
                      for (const std::uint32_t tiles : allowed_tiles(method, fractal)) {
                        texts.push_back(std::to_string(tiles));
                      }
                      return texts;
                    },
                .read = read_tiles,
                .text = [](const MapMethod& method) -> std::optional<std::string> {
                  if (!has_tiles(method)) return std::nullopt;
                  return method.tiles == 0 ? std::string(kAutoWord) : std::to_string(method.tiles);
                },
                .copy = copy_member<&MapMethod::tiles>},
};

}  // namespace

std::vector<std::string> MethodField::names() const {
  if (form == Form::kNumber) return {};
  return values({}, {});
}

std::span<const MethodField> method_fields() {
  return kFields;
}

const MethodField* find_method_field(std::string_view option) {
  for (const MethodField& field : kFields) {
    if (field.option == option) return &field;
  }
  return nullptr;
}

}  // namespace loom
