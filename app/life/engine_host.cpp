#include "app/life/engine_host.h"

#include <new>
#include <utility>

#include "compute/core/error.h"

namespace loom::app {

EngineHost::EngineHost(const Settings& settings)
    : choice_(settings.backend),
      device_(settings.device),
      backend_(select_backend(settings.backend, settings.device)),
      engine_(make_fractal_engine(settings.config, backend_)) {
  engine_->reset(settings.start);
}

// The new engine is complete before the old one goes, so that a failure half-way loses nothing. Both are held
// for that moment; where memory is too short for two, the message says so with the free bytes.
bool EngineHost::build(const Settings& wanted, const BackendSelection& backend) {
  const FractalConfig& old = engine_->config();
  const bool new_field = wanted.config.fractal != old.fractal || wanted.config.level != old.level;
  auto next = make_fractal_engine(wanted.config, backend);
  if (new_field) {
    next->reset(wanted.start);
  } else {
    carry_over(*engine_, *next);
  }
  engine_ = std::move(next);
  return new_field;
}

EngineHost::Outcome EngineHost::apply(Settings& wanted) {
  const bool same_config = wanted.config == engine_->config();
  if (same_config && wanted.backend == choice_ && wanted.device == device_) return {};
  Outcome outcome;
  try {
    validate(wanted.config);
    const BackendSelection backend = select_backend(wanted.backend, wanted.device);
    if (!same_config || backend.kind != backend_.kind || backend.device != backend_.device) {
      outcome.new_field = build(wanted, backend);
      outcome.rebuilt = true;
    }
    backend_ = backend;
    choice_ = wanted.backend;
    device_ = wanted.device;
    return outcome;
  } catch (const DeviceFault&) {
    throw;  // nothing of the device is left to go on with
  } catch (const InputError& error) {
    outcome.problem = error.what();
  } catch (const MachineError& error) {
    outcome.problem = error.what();
  } catch (const std::bad_alloc&) {
    outcome.problem = "out of memory while the cells were carried over";
  }
  wanted.config = engine_->config();
  wanted.backend = choice_;
  wanted.device = device_;
  return outcome;
}

}  // namespace loom::app
