#pragma once

#include <exception>
#include <string>
#include <string_view>

#include "compute/core/error.h"
#include "compute/split/ranks.h"

namespace loom::app {

/// What `prepare` returns, in every process of a run (`ranks`, or null). What one of them complains of ends
/// all, and is said once: throws InputError, MachineError with its rank.
template <typename Prepare>
auto prepare_together(const Ranks* ranks, const Prepare& prepare) {
  if (ranks == nullptr) return prepare();
  decltype(prepare()) prepared;
  std::string wrong;
  std::string lacks;
  try {
    prepared = prepare();
  } catch (const InputError& error) {
    wrong = error.what();
  } catch (const std::exception& error) {
    lacks = error.what();
  }
  if (wrong = ranks->first_complaint(wrong); !wrong.empty()) throw InputError(wrong);
  if (lacks = ranks->first_complaint(lacks); !lacks.empty()) throw MachineError(lacks);
  return prepared;
}

/// Ends all processes of a run because of what happened to this one, and says so.
[[noreturn]] void end_all(const Ranks& ranks, std::string_view what);

}  // namespace loom::app
