#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "compute/geometry/tiled_fractal.h"
#include "compute/map/map_method.h"

namespace loom {

/// The value that selects the fastest setting. Every field except the map accepts it.
inline constexpr std::string_view kAutoWord = "auto";

/// One setting of a MapMethod. Code that treats all settings alike loops over the table: command-line
/// options, JSON members, CSV columns, sweep axes, form rows. A new setting is a new row of the table.
struct MethodField {
  /// The form of the values: names, "on" and "off", or whole numbers.
  enum class Form { kName, kSwitch, kNumber };

  /// Name of the command-line option without dashes, and of the sweep axis: "intra-block".
  std::string_view option;
  std::string_view key;  ///< name in JSON and CSV: "intra_block"
  Form form = Form::kName;
  std::string_view purpose;  ///< what it selects: "How lambda and nu are computed"
  bool has_auto = true;
  std::uint64_t lowest = 0;  ///< the smallest number, for kNumber; the next member is the largest
  std::uint64_t highest = 0;
  /// Whether the method's map and storage offer a choice.
  bool (*varies)(const MapMethod& method) = nullptr;
  /// All values as text, numbers ascending. Some may be invalid in combination with the rest of the method.
  std::vector<std::string> (*values)(const MapMethod& method, const TiledFractal& fractal) = nullptr;
  /// Sets the value given as text. Throws InputError, "unknown WHAT 'TEXT'; allowed: ...".
  void (*read)(std::string_view text, MapMethod& method) = nullptr;
  /// The value as text that `read` accepts; nothing if the method's map or storage does not use the setting.
  std::optional<std::string> (*text)(const MapMethod& method) = nullptr;
  /// Copies the value from one method to another.
  void (*copy)(const MapMethod& from, MapMethod& to) = nullptr;

  /// The values that do not depend on a fractal, by name: all except numbers.
  std::vector<std::string> names() const;
};

/// All fields. The map and the storage come first, because they determine which others apply. Sweeps vary the
/// last field fastest.
std::span<const MethodField> method_fields();

/// The field of an option; null if no field has this option.
const MethodField* find_method_field(std::string_view option);

}  // namespace loom
