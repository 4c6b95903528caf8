#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "app/workspaces/life/scene/cell_source.h"
#include "compute/engine/fractal_config.h"
#include "compute/workload/workload.h"

namespace loom::app::exporting {

enum class Language { kCuda, kCpp };

/// What an exported program computes. Its state hash is that of `fractal-loom life` with the same choice.
template <int kDimensions>
struct ProgramSpec {
  FractalConfigOf<kDimensions> config;
  WorkOf<kDimensions> work = {};
  RandomStart start = {};
  std::uint64_t generations = 100;
};

/// The program that computes these cells, and `more` generations. Throws InputError if they are not a random
/// start and generations of one rule.
template <int kDimensions>
ProgramSpec<kDimensions> program_of(const FractalConfigOf<kDimensions>& config,
                                    const WorkOf<kDimensions>& work, const CellSourceOf<kDimensions>& cells,
                                    std::uint64_t more = 0);

/// Why the choice has no program, with what is allowed; empty if it has one.
template <int kDimensions>
std::string program_problem(const ProgramSpec<kDimensions>& spec);

/// The text of a program in one file that needs nothing else: C++17, with the definitions of maps, storages
/// and rules of this program's own headers. The same choice gives the same bytes. Throws InputError with
/// program_problem().
template <int kDimensions>
std::string program_text(const ProgramSpec<kDimensions>& spec, Language language);

/// The header library fractal_maps: names and texts of its files.
std::vector<std::pair<std::filesystem::path, std::string>> library_files();

}  // namespace loom::app::exporting
