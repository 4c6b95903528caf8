#include "app/palette/window/palette_autosave.h"

#include <fmt/format.h>

#include <utility>

namespace loom::app {

PaletteAutosave::PaletteAutosave() {
  if (auto folder = palettes_folder()) folder_.emplace(std::move(*folder));
}

CustomPalettes PaletteAutosave::load() {
  if (!folder_) return nullptr;
  PaletteFolder::Read read = folder_->read();
  problem_ = std::move(read.problem);
  return last_requested_ = std::move(read.palettes);
}

void PaletteAutosave::start(const CustomPalettes& now) {
  last_requested_ = now;
  // Never cancelled: it is the only copy of the palettes.
  task_.start([this, now](ProgressMonitor&) {
    folder_->save(now);
    return std::monostate();
  });
}

void PaletteAutosave::take_outcome(const Task<std::monostate>::Outcome& outcome) {
  failed_ = !outcome.result;
  problem_ = failed_ ? fmt::format("Custom palettes could not be saved: {}", outcome.problem) : "";
}

void PaletteAutosave::save(const CustomPalettes& now) {
  if (const auto outcome = task_.poll()) take_outcome(*outcome);
  if (folder_ && now != last_requested_ && !task_.running()) start(now);
}

void PaletteAutosave::exclude(const CustomPalettes& with_options) {
  if (folder_) folder_->exclude(with_options);
  last_requested_ = with_options;
}

std::string PaletteAutosave::finish(const CustomPalettes& now) {
  if (!folder_) return {};
  if (const auto outcome = task_.wait()) take_outcome(*outcome);
  if (now == last_requested_ && !failed_) return {};
  start(now);
  const auto outcome = task_.wait();
  failed_ = !outcome->result;
  return outcome->problem;
}

std::string PaletteAutosave::take_problem() {
  if (const auto outcome = task_.poll()) take_outcome(*outcome);
  return std::exchange(problem_, {});
}

}  // namespace loom::app
