#include "compute/check/sampled_check.h"

#include <mpfr.h>

#include <algorithm>
#include <random>
#include <string>

namespace loom {
namespace {

/// The numbers of one thread's loop.
class ExactDwell {
 public:
  ExactDwell(const MandelbrotView& view, std::uint32_t limit, mpfr_prec_t bits) : view_(view), limit_(limit) {
    if (view.decimal) digits_ = digits_of(*view.decimal);
    mpfr_inits2(bits, re_, im_, x_, y_, xx_, yy_, t_, static_cast<mpfr_ptr>(nullptr));
  }
  ~ExactDwell() { mpfr_clears(re_, im_, x_, y_, xx_, yy_, t_, static_cast<mpfr_ptr>(nullptr)); }
  ExactDwell(const ExactDwell&) = delete;
  ExactDwell& operator=(const ExactDwell&) = delete;

  std::uint32_t of(Coord32 pixel) {
    if (view_.decimal) {
      // centre + width (2 i - size) / (2 image width)
      set_decimal(re_, digits_.re, pixel.x, view_.width);
      set_decimal(im_, digits_.im, pixel.y, view_.height);
    } else {
      set_window(re_, view_.window.re_min, view_.window.re_max, pixel.x, view_.width);
      set_window(im_, view_.window.im_min, view_.window.im_max, pixel.y, view_.height);
    }
    mpfr_set(x_, re_, MPFR_RNDN);
    mpfr_set(y_, im_, MPFR_RNDN);
    std::uint32_t dwell = 0;
    while (dwell < limit_) {
      mpfr_sqr(xx_, x_, MPFR_RNDN);
      mpfr_sqr(yy_, y_, MPFR_RNDN);
      mpfr_add(t_, xx_, yy_, MPFR_RNDN);
      if (mpfr_cmp_ui(t_, 4) >= 0) break;
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
  void set_decimal(mpfr_ptr to, const std::string& centre, std::uint32_t i, std::uint32_t size) {
    mpfr_set_str(t_, digits_.width.c_str(), 10, MPFR_RNDN);
    mpfr_mul_si(t_, t_, 2 * static_cast<long>(i) - static_cast<long>(size), MPFR_RNDN);
    mpfr_div_ui(t_, t_, 2ul * view_.width, MPFR_RNDN);
    mpfr_set_str(to, centre.c_str(), 10, MPFR_RNDN);
    mpfr_add(to, to, t_, MPFR_RNDN);
  }
  void set_window(mpfr_ptr to, double low, double high, std::uint32_t i, std::uint32_t size) {
    mpfr_set_d(t_, high, MPFR_RNDN);
    mpfr_sub_d(t_, t_, low, MPFR_RNDN);
    mpfr_mul_ui(t_, t_, i, MPFR_RNDN);
    mpfr_div_ui(t_, t_, size, MPFR_RNDN);
    mpfr_add_d(to, t_, low, MPFR_RNDN);
  }

  const MandelbrotView& view_;
  ViewDigits digits_;
  std::uint32_t limit_;
  mpfr_t re_, im_, x_, y_, xx_, yy_, t_;
};

/// Bits of numbers that hold the distance of two pixels with at least 128 of them.
mpfr_prec_t bits_of(const MandelbrotView& view) {
  constexpr mpfr_prec_t kOfDistance = 160;
  if (!view.decimal) return 53 + kOfDistance;
  mpfr_t width;
  mpfr_init2(width, 53);
  mpfr_set_str(width, view.decimal->width.text().c_str(), 10, MPFR_RNDN);
  const mpfr_exp_t exponent = mpfr_get_exp(width);
  mpfr_clear(width);
  return kOfDistance + std::max<mpfr_exp_t>(0, -exponent);
}

}  // namespace

std::vector<std::uint32_t> exact_dwells(const MandelbrotView& view, std::uint32_t limit) {
  std::vector<std::uint32_t> dwells(view.pixels());
#pragma omp parallel
  {
    ExactDwell exact(view, limit, bits_of(view));
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
    ExactDwell exact(view, limit, bits_of(view));
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
