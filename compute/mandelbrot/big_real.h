#pragma once

#include <mpfr.h>

#include <cstdint>
#include <string>

namespace loom {

/// A number of MPFR that frees its memory.
class BigReal {
 public:
  /// Zero with a mantissa of `bits`.
  explicit BigReal(std::int64_t bits) {
    mpfr_init2(value_, static_cast<mpfr_prec_t>(bits));
    mpfr_set_zero(value_, 1);
  }
  /// The decimal number `text`, which has the form that is_decimal() tests, rounded to `bits`.
  BigReal(const std::string& text, std::int64_t bits) : BigReal(bits) {
    mpfr_set_str(value_, text.c_str(), 10, MPFR_RNDN);
  }
  ~BigReal() { mpfr_clear(value_); }
  BigReal(const BigReal&) = delete;
  BigReal& operator=(const BigReal&) = delete;

  mpfr_ptr get() { return value_; }
  mpfr_srcptr get() const { return value_; }

 private:
  mpfr_t value_;
};

}  // namespace loom
