#pragma once

#include <exception>
#include <optional>
#include <string>
#include <string_view>

#include "compute/core/error.h"
#include "compute/split/ranks.h"

namespace loom::app {

/// What `make` gives, in each of several processes that all call this; they go on only where it goes well in
/// all. What one of them complains of is thrown in all, so that it is said once, with its rank.
template <typename Make>
auto make_together(const Ranks& ranks, const Make& make) {
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
  if (wrong = ranks.first_complaint(wrong); !wrong.empty()) throw InputError(wrong);
  if (lacks = ranks.first_complaint(lacks); !lacks.empty()) throw MachineError(lacks);
  return *std::move(made);
}

/// Ends all processes of a run because of what happened to this one, and says so.
[[noreturn]] void end_all(const Ranks& ranks, std::string_view what);

}  // namespace loom::app
