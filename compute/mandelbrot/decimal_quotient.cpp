#include "compute/mandelbrot/decimal_quotient.h"

#include "compute/mandelbrot/big_real.h"

namespace loom {

std::string decimal_quotient(unsigned numerator, const std::string& number) {
  constexpr std::int64_t kBits = 128;
  const BigReal divisor(number, kBits);
  BigReal quotient(kBits);
  mpfr_ui_div(quotient.get(), numerator, divisor.get(), MPFR_RNDN);
  char* text = nullptr;
  mpfr_asprintf(&text, "%.20Rg", quotient.get());
  std::string result(text);
  mpfr_free_str(text);
  return result;
}

}  // namespace loom
