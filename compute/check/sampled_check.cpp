#include <mpfr.h>

#include <algorithm>
#include <random>
#include <string>

#include "compute/check/dwell_checks.h"

namespace loom {
namespace {

/// The bits of numbers for a view.
struct ExactBits {
  mpfr_exp_t width = 0;  ///< the view is less than 2^width wide; at most 0
  mpfr_prec_t of_loop =
      0;  ///< hold the distance of two pixels with at least 128 of them; its square, for Julia
  mpfr_prec_t of_proof = 0;  ///< leave as many after errors have grown by 2^-width
};

/// Looks for a proof that a point c is in the interior of the set: a disc that `period` iterations map into
/// itself. It contains an attracting cycle, which the orbit of 0 then tends to.
class CycleProof {
 public:
  explicit CycleProof(const ExactBits& bits) : bits_(bits) {
    mpfr_inits2(bits.of_proof, zx_, zy_, x_, y_, t_, u_, static_cast<mpfr_ptr>(nullptr));
    mpfr_inits2(kSlopeBits, dx_, dy_, s_, v_, size_, radius_, static_cast<mpfr_ptr>(nullptr));
  }
  ~CycleProof() {
    mpfr_clears(zx_, zy_, x_, y_, t_, u_, dx_, dy_, s_, v_, size_, radius_, static_cast<mpfr_ptr>(nullptr));
  }
  CycleProof(const CycleProof&) = delete;
  CycleProof& operator=(const CycleProof&) = delete;

  /// Newton's method for the cycle starts at z.
  bool holds(mpfr_srcptr re, mpfr_srcptr im, mpfr_srcptr x, mpfr_srcptr y, std::uint64_t period) {
    mpfr_set(zx_, x, MPFR_RNDN);
    mpfr_set(zy_, y, MPFR_RNDN);
    const mpfr_exp_t radius = bits_.width - 60;
    const long passes = 12 - radius / (kSlopeBits - 10);
    for (long pass = 0; pass < passes; ++pass) {
      if (!iterate(re, im, period)) return false;
      // z + (f(z) - z) / (1 - f'(z))
      mpfr_sub(t_, x_, zx_, MPFR_RNDN);
      mpfr_sub(u_, y_, zy_, MPFR_RNDN);
      mpfr_ui_sub(dx_, 1, dx_, MPFR_RNDN);
      mpfr_sqr(s_, dx_, MPFR_RNDN);
      mpfr_fma(s_, dy_, dy_, s_, MPFR_RNDN);
      if (mpfr_zero_p(s_) != 0) return false;
      mpfr_mul(x_, t_, dx_, MPFR_RNDN);
      mpfr_mul(y_, u_, dy_, MPFR_RNDN);
      mpfr_sub(x_, x_, y_, MPFR_RNDN);
      mpfr_mul(t_, t_, dy_, MPFR_RNDN);
      mpfr_mul(u_, u_, dx_, MPFR_RNDN);
      mpfr_add(y_, t_, u_, MPFR_RNDN);
      mpfr_div(x_, x_, s_, MPFR_RNDN);
      mpfr_div(y_, y_, s_, MPFR_RNDN);
      mpfr_add(zx_, zx_, x_, MPFR_RNDN);
      mpfr_add(zy_, zy_, y_, MPFR_RNDN);
      mpfr_hypot(v_, x_, y_, MPFR_RNDU);
      if (mpfr_cmp_ui_2exp(v_, 1, radius - 20) < 0) return maps_disc_into_itself(re, im, period, radius);
    }
    return false;
  }

 private:
  static constexpr mpfr_prec_t kSlopeBits = 64;

  /// One iteration of (x_, y_).
  void square_and_add(mpfr_srcptr re, mpfr_srcptr im) {
    mpfr_sqr(t_, x_, MPFR_RNDN);
    mpfr_sqr(u_, y_, MPFR_RNDN);
    mpfr_mul(y_, y_, x_, MPFR_RNDN);
    mpfr_mul_2ui(y_, y_, 1, MPFR_RNDN);
    mpfr_add(y_, y_, im, MPFR_RNDN);
    mpfr_sub(x_, t_, u_, MPFR_RNDN);
    mpfr_add(x_, x_, re, MPFR_RNDN);
  }
  /// f(z) and its derivative; whether the orbit has stayed small.
  bool iterate(mpfr_srcptr re, mpfr_srcptr im, std::uint64_t period) {
    mpfr_set(x_, zx_, MPFR_RNDN);
    mpfr_set(y_, zy_, MPFR_RNDN);
    mpfr_set_ui(dx_, 1, MPFR_RNDN);
    mpfr_set_zero(dy_, 1);
    for (std::uint64_t n = 0; n < period; ++n) {
      mpfr_set(s_, x_, MPFR_RNDN);
      mpfr_set(v_, y_, MPFR_RNDN);
      mpfr_mul_2ui(s_, s_, 1, MPFR_RNDN);
      mpfr_mul_2ui(v_, v_, 1, MPFR_RNDN);
      mpfr_fmms(size_, dx_, s_, dy_, v_, MPFR_RNDN);
      mpfr_fmma(dy_, dx_, v_, dy_, s_, MPFR_RNDN);
      mpfr_swap(dx_, size_);
      square_and_add(re, im);
      if (!is_small()) return false;
    }
    return true;
  }
  bool is_small() {
    mpfr_hypot(size_, x_, y_, MPFR_RNDU);
    return mpfr_cmp_ui(size_, 2) < 0;
  }
  /// The disc of radius 2^`exponent` around z. An iteration at z_n makes a radius r at most (2 |z_n| + r) r,
  /// and its roundings are less than 2^8 of a number of size 1.
  bool maps_disc_into_itself(mpfr_srcptr re, mpfr_srcptr im, std::uint64_t period, mpfr_exp_t exponent) {
    mpfr_set(x_, zx_, MPFR_RNDN);
    mpfr_set(y_, zy_, MPFR_RNDN);
    mpfr_set_ui_2exp(radius_, 1, exponent, MPFR_RNDU);
    mpfr_set_ui_2exp(v_, 1, 8 - bits_.of_proof, MPFR_RNDU);
    for (std::uint64_t n = 0; n < period; ++n) {
      if (!is_small()) return false;
      mpfr_mul_2ui(size_, size_, 1, MPFR_RNDU);
      mpfr_add(size_, size_, radius_, MPFR_RNDU);
      mpfr_fma(radius_, radius_, size_, v_, MPFR_RNDU);
      square_and_add(re, im);
    }
    mpfr_sub(x_, x_, zx_, MPFR_RNDA);
    mpfr_sub(y_, y_, zy_, MPFR_RNDA);
    mpfr_hypot(size_, x_, y_, MPFR_RNDU);
    mpfr_add(radius_, radius_, size_, MPFR_RNDU);
    return mpfr_cmp_ui_2exp(radius_, 1, exponent) < 0;
  }

  ExactBits bits_;
  mpfr_t zx_, zy_, x_, y_, t_, u_;
  mpfr_t dx_, dy_, s_, v_, size_, radius_;
};

/// The numbers of one thread's loop.
class ExactDwell {
 public:
  ExactDwell(const MandelbrotView& view, std::uint32_t limit, const std::optional<JuliaPoint>& julia,
             const ExactBits& bits)
      : view_(view), turn_(direction_of(view.angle)), limit_(limit), julia_(julia), proof_(bits) {
    if (view.decimal) digits_ = digits_of(*view.decimal);
    mpfr_inits2(bits.of_loop, re_, im_, x_, y_, xx_, yy_, t_, least_, static_cast<mpfr_ptr>(nullptr));
  }
  ~ExactDwell() { mpfr_clears(re_, im_, x_, y_, xx_, yy_, t_, least_, static_cast<mpfr_ptr>(nullptr)); }
  ExactDwell(const ExactDwell&) = delete;
  ExactDwell& operator=(const ExactDwell&) = delete;

  std::uint32_t of(Coord32 pixel) {
    // centre + (x + i y) turn, with the distances x and y from the centre.
    set_distance(x_, view_.window.re_min, view_.window.re_max, pixel.x, view_.width);
    set_distance(y_, view_.window.im_min, view_.window.im_max, pixel.y, view_.height);
    set_part(re_, digits_.re, view_.window.re_min, view_.window.re_max, turn_.re, -turn_.im);
    set_part(im_, digits_.im, view_.window.im_min, view_.window.im_max, turn_.im, turn_.re);
    mpfr_set(x_, re_, MPFR_RNDN);
    mpfr_set(y_, im_, MPFR_RNDN);
    if (julia_) {
      mpfr_set_d(re_, julia_->re, MPFR_RNDN);
      mpfr_set_d(im_, julia_->im, MPFR_RNDN);
    }
    // The period of an attracting cycle is where the orbit comes closest to 0. Proofs are tried so late, and
    // so rarely, that they take less than the loop. (A cycle of a Julia set attracts only some of its
    // orbits.)
    constexpr std::uint64_t kFirstTry = 64;
    constexpr std::uint64_t kNextTry = 8;
    std::uint64_t closest = 0;
    std::uint64_t try_at = 0;
    mpfr_set_ui(least_, 4, MPFR_RNDN);
    std::uint32_t dwell = 0;
    while (dwell < limit_) {
      mpfr_sqr(xx_, x_, MPFR_RNDN);
      mpfr_sqr(yy_, y_, MPFR_RNDN);
      mpfr_add(t_, xx_, yy_, MPFR_RNDN);
      if (mpfr_cmp_ui(t_, 4) >= 0) break;
      if (mpfr_less_p(t_, least_) != 0) {
        mpfr_swap(least_, t_);
        closest = dwell + std::uint64_t{1};
        try_at = julia_ ? 0 : kFirstTry * closest;
      } else if (dwell > 0 && dwell == try_at) {
        if (proof_.holds(re_, im_, x_, y_, closest)) return limit_;
        try_at *= kNextTry;
      }
      mpfr_mul(y_, y_, x_, MPFR_RNDN);
      mpfr_mul_2ui(y_, y_, 1, MPFR_RNDN);
      mpfr_add(y_, y_, im_, MPFR_RNDN);
      mpfr_sub(x_, xx_, yy_, MPFR_RNDN);
      mpfr_add(x_, x_, re_, MPFR_RNDN);
      ++dwell;
    }
    return dwell;
  }

 private:
  /// extent (2 i - size) / (2 size), in a decimal view with the width and its size for both axes.
  void set_distance(mpfr_ptr to, double low, double high, std::uint32_t i, std::uint32_t size) {
    if (view_.decimal) {
      mpfr_set_str(to, digits_.width.c_str(), 10, MPFR_RNDN);
    } else {
      mpfr_set_d(to, high, MPFR_RNDN);
      mpfr_sub_d(to, to, low, MPFR_RNDN);
    }
    mpfr_mul_si(to, to, 2 * static_cast<long>(i) - static_cast<long>(size), MPFR_RNDN);
    mpfr_div_ui(to, to, 2ul * (view_.decimal ? view_.width : size), MPFR_RNDN);
  }
  /// centre + by_x x + by_y y
  void set_part(mpfr_ptr to, const std::string& centre, double low, double high, double by_x, double by_y) {
    if (view_.decimal) {
      mpfr_set_str(to, centre.c_str(), 10, MPFR_RNDN);
    } else {
      mpfr_set_d(to, low, MPFR_RNDN);
      mpfr_add_d(to, to, high, MPFR_RNDN);
      mpfr_div_2ui(to, to, 1, MPFR_RNDN);
    }
    mpfr_mul_d(t_, x_, by_x, MPFR_RNDN);
    mpfr_add(to, to, t_, MPFR_RNDN);
    mpfr_mul_d(t_, y_, by_y, MPFR_RNDN);
    mpfr_add(to, to, t_, MPFR_RNDN);
  }

  const MandelbrotView& view_;
  Complex<double> turn_;
  ViewDigits digits_;
  std::uint32_t limit_;
  std::optional<JuliaPoint> julia_;
  CycleProof proof_;
  mpfr_t re_, im_, x_, y_, xx_, yy_, t_, least_;
};

ExactBits bits_of(const MandelbrotView& view, bool is_julia) {
  constexpr mpfr_prec_t kOfDistance = 160;
  constexpr mpfr_prec_t kOfDouble = 53;
  if (!view.decimal) return {-kOfDouble, kOfDouble + kOfDistance, 2 * kOfDouble + kOfDistance};
  mpfr_t width;
  mpfr_init2(width, 53);
  mpfr_set_str(width, view.decimal->width.text().c_str(), 10, MPFR_RNDN);
  const mpfr_exp_t exponent = std::min<mpfr_exp_t>(0, mpfr_get_exp(width));
  mpfr_clear(width);
  return {exponent, kOfDistance - (is_julia ? 2 : 1) * exponent, kOfDistance - 2 * exponent};
}

}  // namespace

std::vector<std::uint32_t> exact_dwells(const MandelbrotView& view, std::uint32_t limit,
                                        const std::optional<JuliaPoint>& julia) {
  std::vector<std::uint32_t> dwells(view.pixels());
#pragma omp parallel
  {
    ExactDwell exact(view, limit, julia, bits_of(view, julia.has_value()));
#pragma omp for schedule(dynamic)
    for (std::uint32_t y = 0; y < view.height; ++y) {
      for (std::uint32_t x = 0; x < view.width; ++x)
        dwells[std::size_t{y} * view.width + x] = exact.of({x, y});
    }
    mpfr_free_cache();
  }
  return dwells;
}

SampledCheck check_samples(const MandelbrotEngine& engine, std::uint64_t samples, std::uint64_t seed,
                           std::size_t max_places, ProgressMonitor* monitor) {
  const MandelbrotView view = engine.view();
  const std::uint32_t limit = engine.config().dwell_limit;
  std::mt19937_64 random(seed);
  std::vector<Coord32> pixels(samples);
  for (Coord32& pixel : pixels) {
    pixel.x = static_cast<std::uint32_t>(random() % view.width);
    pixel.y = static_cast<std::uint32_t>(random() % view.height);
  }
  std::sort(pixels.begin(), pixels.end(),
            [](Coord32 a, Coord32 b) { return a.y != b.y ? a.y < b.y : a.x < b.x; });
  std::vector<std::uint32_t> held(samples);
  std::vector<std::uint32_t> row(view.width);
  for (std::size_t i = 0; i < pixels.size(); ++i) {
    if (i == 0 || pixels[i].y != pixels[i - 1].y) engine.read_dwells(pixels[i].y, row);
    held[i] = row[pixels[i].x];
  }
  std::vector<std::uint32_t> expected(samples);
  const ProgressScope call(monitor, samples);
#pragma omp parallel
  {
    const std::optional<JuliaPoint>& julia = engine.config().set.julia;
    ExactDwell exact(view, limit, julia, bits_of(view, julia.has_value()));
#pragma omp for schedule(dynamic)
    for (std::size_t i = 0; i < pixels.size(); ++i) {
      if (call.cancelled()) continue;
      expected[i] = exact.of(pixels[i]);
      call.advance(1);
    }
    mpfr_free_cache();
  }
  call.check();
  const Precision precision = engine.config().precision;
  SampledCheck check;
  check.samples = samples;
  check.seed = seed;
  check.exact_mantissa = precision == Precision::kDouble || precision == Precision::kPerturbedDouble ||
                         precision == Precision::kPerturbedWide;
  for (std::size_t i = 0; i < pixels.size(); ++i) {
    if (held[i] == expected[i]) continue;
    ++check.different;
    const std::uint32_t distance = held[i] < expected[i] ? expected[i] - held[i] : held[i] - expected[i];
    if (distance > 1 && std::uint64_t{distance} * 1000 > expected[i]) ++check.far;
    if (check.places.size() < max_places) check.places.push_back({pixels[i], held[i], expected[i]});
  }
  return check;
}

}  // namespace loom
