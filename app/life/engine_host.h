#pragma once

#include <memory>
#include <string>

#include "app/shell/session.h"
#include "compute/backend/engine_factory.h"

namespace loom::app {

/// Owns the engine that runs now, and replaces it when the settings ask for another.
class EngineHost {
 public:
  /// Builds the engine and its random start. Throws InputError, CapacityError, MachineError.
  explicit EngineHost(const Settings& settings);

  FractalEngine& engine() { return *engine_; }
  const FractalEngine& engine() const { return *engine_; }
  const BackendSelection& backend() const { return backend_; }

  struct Outcome {
    bool rebuilt = false;    ///< another engine runs now
    bool new_field = false;  ///< of another fractal or level: it began with the random start
    std::string problem;     ///< why the wish could not be met; the old engine and its cells are untouched
  };
  /// Makes the engine what `wanted` asks for. The same fractal and level: the cells are carried over.
  /// Another: random start. Where that fails, `wanted` gets its old configuration and backend back.
  Outcome apply(Settings& wanted);

 private:
  bool build(const Settings& wanted, const BackendSelection& backend);
  BackendChoice choice_;
  int device_;
  BackendSelection backend_;
  std::unique_ptr<FractalEngine> engine_;
};

}  // namespace loom::app
