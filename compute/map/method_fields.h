#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "compute/geometry/blocked_fractal.h"
#include "compute/map/map_method.h"

namespace loom {

/// The word for "whatever is fastest", which every field but the map takes.
inline constexpr std::string_view kAutoWord = "auto";

/// One choice of a MapMethod, for whatever treats all of them alike: options of the command line, members in
/// JSON and columns in CSV, axes of sweeps, rows of a form. A new choice is a new row of the table.
struct MethodField {
  /// What its texts are: names, "on" and "off", or whole numbers.
  enum class Form { kName, kSwitch, kNumber };

  std::string_view option;  ///< on the command line, without dashes, and as an axis: "intra-block"
  std::string_view key;     ///< in JSON and CSV: "intra_block"
  Form form = Form::kName;
  std::string_view purpose;  ///< what it decides: "How lambda and nu are computed"
  bool has_auto = true;
  std::uint64_t lowest = 0;  ///< of numbers, as the next
  std::uint64_t highest = 0;
  /// Whether there is something to choose with this method's map and storage.
  bool (*varies)(const MapMethod& method) = nullptr;
  /// Every value as text, ascending where they are numbers; some may not go with the rest of the method.
  std::vector<std::string> (*values)(const MapMethod& method, const BlockedFractal& fractal) = nullptr;
  /// Puts the value that a text names into a method. Throws InputError, "unknown WHAT 'TEXT'; allowed: ...".
  void (*read)(std::string_view text, MapMethod& method) = nullptr;
  /// The value as text, as `read` takes it; none where the method's map or storage does not have it.
  std::optional<std::string> (*text)(const MapMethod& method) = nullptr;
  /// Copies the value from one method to another.
  void (*copy)(const MapMethod& from, MapMethod& to) = nullptr;

  /// The values that do not depend on a fractal, by name: all but those of numbers.
  std::vector<std::string> names() const;
};

/// The map and the storage first, which say what else varies. Sweeps vary the last one fastest.
std::span<const MethodField> method_fields();

/// The field of an option, null where it is of none.
const MethodField* find_method_field(std::string_view option);

}  // namespace loom
