#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include "app/palette/custom_palettes.h"

namespace loom::app {

/// The folder of the user's palettes; empty if there is none.
std::optional<std::filesystem::path> palettes_folder();

/// A folder with one .cpt file per palette (cpt_text), updated as the list changes. Only files that are
/// unchanged since this object read or wrote them are replaced or removed; an unreadable file, or one written
/// by another window, stays, and this window uses another file name.
class PaletteFolder {
 public:
  explicit PaletteFolder(std::filesystem::path folder) : folder_(std::move(folder)) {}

  struct Read {
    CustomPalettes palettes = {};
    std::string problem = {};  ///< which files could not be read, and why; empty if none
  };
  /// Reads the folder. Call once, before anything else.
  Read read();
  /// The list as the window starts with it. Palettes that were not read are not written until they change.
  void exclude(const CustomPalettes& others);
  /// Writes palettes of `now` that the folder lacks, then removes those that were in the previous list and
  /// are not in `now`. If the list is full, nothing is removed, because a scene may have displaced some.
  /// Throws as OutputFile does; the next call retries.
  void save(const CustomPalettes& now);

 private:
  struct StoredPalette {
    std::filesystem::path file;  ///< empty: excluded
    render::PaletteSpec recipe;
    std::string text;  ///< text of the file when read or written
  };
  /// Whether the file is unchanged since then.
  static bool is_unmodified(const StoredPalette& stored);
  std::filesystem::path new_file(const std::string& name) const;

  std::filesystem::path folder_;
  std::map<std::string, StoredPalette, std::less<>> stored_;  ///< by name of the palette
  CustomPalettes last_;                                       ///< the list of the previous call
};

}  // namespace loom::app
