#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "app/gui/layout.h"
#include "app/shell/setting_rows.h"
#include "app/workspaces/mandelbrot/scene/mandelbrot_settings.h"
#include "app/workspaces/mandelbrot/scene/mandelbrot_stats.h"

namespace loom::app {

/// The fields of the view's centre, width and angle.
struct PlaceFields {
  std::array<std::string, 4> texts;  ///< re, im, width and angle
  std::optional<ComplexView> shown;  ///< the view of the texts, unless one is being typed
  std::string problem;               ///< why a typed text is invalid, and what is allowed
  std::array<Area, 4> areas;         ///< for tests
};

/// State of the side panel between frames.
struct MandelbrotPanelState {
  PlaceFields place;
  Area formula;                                     ///< of the choice of formulas, for tests
  std::array<Area, kFormulas.size() + 1> formulas;  ///< of its rows while it is open
  Area precision;                                   ///< of the choice of precisions, for tests
  std::vector<DeviceCountOption> devices;
  std::size_t devices_available = 0;  ///< number of devices that `devices` was built for
  bool simulated = true;              ///< whether `devices` was built for simulated devices
  Area method_header;                 ///< of Method details, for tests
  bool method_open = false;           ///< whether it is unfolded
  TextSizeState text_size;
};

/// What most users never set: tuning, subdivision, scheme, block shape, devices, backend. Folded at first,
/// with a summary.
void mandelbrot_method(MandelbrotPanelState& state, MandelbrotEdit& edit, const MandelbrotStats& now);

/// What every user needs: the place and the tour, the dwell limit, the precision and the colouring.
void mandelbrot_basics(MandelbrotPanelState& state, MandelbrotEdit& edit, const MandelbrotStats& now);

}  // namespace loom::app
