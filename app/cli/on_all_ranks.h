#pragma once

#include <exception>
#include <optional>
#include <string>
#include <string_view>

#include "compute/core/error.h"
#include "compute/distributed/process_group.h"

namespace loom::app {

/// Runs `make` in all processes, which must all call this. Continues only if it succeeds everywhere; an error
/// in one process is thrown in all, and reported once with its rank.
template <typename Make>
auto make_on_all_ranks(const ProcessGroup& ranks, const Make& make) {
  std::optional<decltype(make())> made;
  std::string wrong;
  std::string lacks;
  try {
    made = make();
  } catch (const InputError& error) {
    wrong = error.what();
  } catch (const std::exception& error) {
    lacks = error.what();
  }
  if (wrong = ranks.first_rank_error(wrong); !wrong.empty()) throw InputError(wrong);
  if (lacks = ranks.first_rank_error(lacks); !lacks.empty()) throw MachineError(lacks);
  return *std::move(made);
}

/// Reports the failure of this process and ends all processes of the run.
[[noreturn]] void abort_all_ranks(const ProcessGroup& ranks, std::string_view what);

}  // namespace loom::app
