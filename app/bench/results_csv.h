#pragma once

#include <string>

#include "app/bench/results.h"

namespace loom::app::bench {

/// The entries as an RFC 4180 table with a header. A value that an entry does not have is an empty field.
std::string csv_text(const Results& results);

}  // namespace loom::app::bench
