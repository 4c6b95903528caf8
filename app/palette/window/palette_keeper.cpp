#include "app/palette/window/palette_keeper.h"

#include <fmt/format.h>

#include <stdexcept>
#include <utility>

namespace loom::app {

PaletteKeeper::PaletteKeeper() {
  if (auto folder = palettes_folder()) folder_.emplace(std::move(*folder));
}

OwnPalettes PaletteKeeper::load() {
  if (!folder_) return nullptr;
  PaletteFolder::Read read = folder_->read();
  problem_ = std::move(read.problem);
  return asked_ = std::move(read.palettes);
}

void PaletteKeeper::write() {
  try {
    folder_->keep(asked_);
  } catch (const std::runtime_error& error) {
    worker_problem_ = fmt::format("Custom palettes could not be saved: {}", error.what());
  }
}

void PaletteKeeper::keep(const OwnPalettes& now) {
  if (!folder_ || now == asked_ || !worker_.has_ended()) return;
  asked_ = now;
  worker_.start([this](Watch&) { write(); });
}

void PaletteKeeper::finish(const OwnPalettes& now) {
  if (!folder_) return;
  worker_.wait();
  if (now == asked_ && worker_problem_.empty()) return;
  asked_ = now;
  write();
}

std::string PaletteKeeper::take_problem() {
  if (problem_.empty() && worker_.has_ended()) problem_ = std::exchange(worker_problem_, {});
  return std::exchange(problem_, {});
}

}  // namespace loom::app
