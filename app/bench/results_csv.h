#pragma once

#include <string>

#include "app/bench/results.h"

namespace loom::app::bench {

/// The entries as a table with a header, RFC 4180: what an entry does not have is an empty field.
std::string csv_text(const Results& results);

}  // namespace loom::app::bench
