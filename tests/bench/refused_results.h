#pragma once

#include <string>

#include "app/bench/results.h"
#include "compute/core/error.h"

namespace loom::test {

/// The error of parsing a text as results; "accepted" if it is valid.
inline std::string why_refused(const std::string& text) {
  try {
    app::bench::parse_results(text, "x.json");
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

}  // namespace loom::test
