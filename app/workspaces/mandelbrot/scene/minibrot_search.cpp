#include "app/workspaces/mandelbrot/scene/minibrot_search.h"

#include <fmt/format.h>

#include <utility>

#include "compute/core/error.h"
#include "compute/cpu/available_memory.h"

namespace loom::app {
namespace {

/// Width of the view of a minibrot in sizes of its cardioid: the whole set is about four times as wide.
constexpr double kShownSizes = 4;

}  // namespace

void MinibrotSearch::start(const ComplexView& view, glm::ivec2 picture, std::uint32_t max_period) {
  if (running()) {
    task_.cancel();
    task_.wait();
  }
  max_period_ = max_period;
  const glm::uvec2 size(picture);
  task_.start(
      [decimal = decimal_of(view), size, max_period](ProgressMonitor& monitor) {
        const ProgressScope call(&monitor, max_period);
        return find_nucleus(decimal, size.x, size.y, max_period, cpu::orbit_memory(), call);
      },
      "out of memory for the search");
}

std::optional<MinibrotSearch::Outcome> MinibrotSearch::poll(TaskTimeout timeout) {
  auto outcome = task_.poll(timeout);
  if (!outcome || !outcome->result || !*outcome->result) return outcome;
  const Nucleus& nucleus = **outcome->result;
  DecimalView view = moved({nucleus.re, nucleus.im, nucleus.size}, 0, 0, kShownSizes);
  try {
    validate(view);
    found_ = Minibrot{nucleus.period, nucleus.size, complex_view(std::move(view))};
  } catch (const InputError& error) {
    outcome->problem = fmt::format("The nearest minibrot is too small: {}", error.what());
    outcome->result.reset();
  }
  return outcome;
}

}  // namespace loom::app
