#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include "app/palette/own_palettes.h"

namespace loom::app {

/// Where the user's palettes are kept; nothing where there is no folder for it.
std::optional<std::filesystem::path> palettes_folder();

/// A folder with a palette a file (.cpt, as cpt_text writes it), kept as a list changes. Only files that are
/// as it has read or written them are replaced or removed: one that cannot be read, or that another window
/// has written, stays, and what this one has goes into a file of its own.
class PaletteFolder {
 public:
  explicit PaletteFolder(std::filesystem::path folder) : folder_(std::move(folder)) {}

  struct Read {
    OwnPalettes palettes = {};
    std::string problem = {};  ///< what could not be read, and why; empty where all could
  };
  /// What is there. Once, first of all.
  Read read();
  /// Writes what `now` has and the folder lacks, then removes what the list had the last time and has no
  /// longer. A full list may have lost some to a scene's: then nothing is removed. Throws as OutputFile does;
  /// what is missing then is written the next time.
  void keep(const OwnPalettes& now);

 private:
  struct Kept {
    std::filesystem::path file;
    render::PaletteRecipe recipe;
    std::string text;  ///< of the file, as it was read or written
  };
  /// Whether nobody else has written the file since.
  static bool is_ours(const Kept& kept);
  std::filesystem::path new_file(const std::string& name) const;

  std::filesystem::path folder_;
  std::map<std::string, Kept, std::less<>> kept_;  ///< by the palette's name
  OwnPalettes last_;                               ///< the list of the last time
};

}  // namespace loom::app
