#include "app/widgets/control.h"

#include "compute/core/input_text.h"

namespace loom::app {

std::string_view name_of(Control control) {
  return value_for<Control::kSidePanel>(
      {"fractal", "level",      "map",        "block",         "arithmetic", "intra-block", "tiles",
       "halo",    "workload",   "play",       "rule",          "start",      "panes",       "grids",
       "thread",  "lambda",     "traffic",    "panes-figures", "figures",    "legend",      "caption",
       "method",  "cut",        "dwell",      "regions",       "place",      "precision",   "work",
       "levels",  "exhaustive", "cost-model", "landscape",     "workspace",  "side-panel"},
      control);
}

Control parse_control(std::string_view name) {
  return parse_choice("control", name, kControls);
}

}  // namespace loom::app
