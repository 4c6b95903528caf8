#pragma once

#include <string>

namespace loom::app::bench {

/// "42 s", "3:07 min", "1:05 h".
std::string duration_text(double seconds);

}  // namespace loom::app::bench
