#include "app/palette/window/palette_autosave.h"

#include <fmt/format.h>

#include <stdexcept>
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

void PaletteAutosave::write() {
  try {
    folder_->save(last_requested_);
  } catch (const std::runtime_error& error) {
    worker_problem_ = fmt::format("Custom palettes could not be saved: {}", error.what());
  }
}

void PaletteAutosave::save(const CustomPalettes& now) {
  if (!folder_ || now == last_requested_ || !worker_.has_ended()) return;
  last_requested_ = now;
  // Never cancelled: this is the only copy of the palettes.
  worker_.start([this](ProgressMonitor&) { write(); });
}

void PaletteAutosave::finish(const CustomPalettes& now) {
  if (!folder_) return;
  worker_.wait();
  if (now == last_requested_ && worker_problem_.empty()) return;
  last_requested_ = now;
  write();
}

std::string PaletteAutosave::take_problem() {
  if (problem_.empty() && worker_.has_ended()) problem_ = std::exchange(worker_problem_, {});
  return std::exchange(problem_, {});
}

}  // namespace loom::app
