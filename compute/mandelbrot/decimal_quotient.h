#pragma once

#include <string>

namespace loom {

/// `numerator` / `number` as a decimal number with 20 significant digits. `number` is decimal and not 0.
std::string decimal_quotient(unsigned numerator, const std::string& number);

}  // namespace loom
