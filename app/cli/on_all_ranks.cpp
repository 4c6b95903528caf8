#include "app/cli/on_all_ranks.h"

#include <fmt/format.h>

#include <cstdlib>

#include "app/cli/standard_streams.h"

namespace loom::app {

void abort_all_ranks(const ProcessGroup& ranks, std::string_view what) {
  print_error(fmt::format("fractal-loom: rank {} of {}: {}\n", ranks.rank(), ranks.count(), what));
  ranks.abort(3);
  std::abort();
}

}  // namespace loom::app
