#pragma once

#include <CLI/CLI.hpp>
#include <functional>

namespace loom::app {

/// The action of a parsed command line. Returns the exit status; may throw the errors of
/// compute/core/error.h, which `main` turns into one line and an exit status.
using Action = std::function<int()>;

/// Each function adds one subcommand to the root and sets `chosen` when the user selects it. `root` and
/// `chosen` must outlive the parse; the action owns everything else.
void add_view(CLI::App& root, Action& chosen);
void add_shot(CLI::App& root, Action& chosen);
void add_video(CLI::App& root, Action& chosen);
void add_life(CLI::App& root, Action& chosen);
void add_mandelbrot(CLI::App& root, Action& chosen);
void add_model(CLI::App& root, Action& chosen);
void add_info(CLI::App& root, Action& chosen);
void add_verify(CLI::App& root, Action& chosen);
void add_bench(CLI::App& root, Action& chosen);
void add_plot(CLI::App& root, Action& chosen);
void add_lesson(CLI::App& root, Action& chosen);
void add_figure(CLI::App& root, Action& chosen);
void add_timeline(CLI::App& root, Action& chosen);
void add_lens(CLI::App& root, Action& chosen);
void add_map(CLI::App& root, Action& chosen);
void add_manual(CLI::App& root, Action& chosen);

}  // namespace loom::app
