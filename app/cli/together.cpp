#include "app/cli/together.h"

#include <fmt/format.h>

#include <cstdlib>

#include "app/cli/standard_streams.h"

namespace loom::app {

void end_all(const Ranks& ranks, std::string_view what) {
  say(fmt::format("fractal-loom: rank {} of {}: {}\n", ranks.rank(), ranks.count(), what));
  ranks.abort(3);
  std::abort();
}

}  // namespace loom::app
