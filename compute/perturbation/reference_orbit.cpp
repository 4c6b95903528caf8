#include "compute/perturbation/reference_orbit.h"

#include <fmt/format.h>
#include <gmp.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <exception>
#include <new>
#include <optional>
#include <string>
#include <system_error>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#include "compute/core/error.h"
#include "compute/mandelbrot/big_real.h"

namespace loom {
namespace {

/// A number with a sign, an integer part of one limb and a fraction of some limbs, least significant limb
/// first. Functions have the index of the lowest limb in use: those below are ignored, as if they were zero.
struct FixedReal {
  std::vector<mp_limb_t> limbs;
  bool negative = false;

  explicit FixedReal(std::size_t fraction) : limbs(fraction + 1) {}
  FixedReal(const BigReal& value, std::size_t fraction) : FixedReal(fraction) {
    mpz_t whole;
    mpz_init(whole);
    BigReal scaled(mpfr_get_prec(value.get()));
    mpfr_mul_2ui(scaled.get(), value.get(), fraction * GMP_NUMB_BITS, MPFR_RNDN);
    mpfr_get_z(whole, scaled.get(), MPFR_RNDN);
    negative = mpz_sgn(whole) < 0;
    std::copy_n(mpz_limbs_read(whole), mpz_size(whole), limbs.begin());
    mpz_clear(whole);
  }
  std::size_t fraction() const { return limbs.size() - 1; }

  template <typename Real>
  FloatExp<Real> rounded(std::size_t lowest) const {
    std::size_t top = limbs.size();
    while (top > lowest && limbs[top - 1] == 0) --top;
    if (top == lowest) return {};
    // Two limbs, if there are two in use, hold at least 64 bits.
    Real value{0};
    if constexpr (std::is_same_v<Real, double>) {
      value = static_cast<double>(limbs[top - 1]);
      if (top - 1 > lowest) value += static_cast<double>(limbs[top - 2]) * 0x1p-64;
    } else {
      // The first 106 bits.
      const auto limb = [&](std::size_t i) { return top - lowest > i ? limbs[top - 1 - i] : mp_limb_t{0}; };
      const int zeros = std::countl_zero(limb(0));
      const auto bits = [&](std::size_t i) {
        return zeros == 0 ? limb(i) : limb(i) << zeros | limb(i + 1) >> (GMP_NUMB_BITS - zeros);
      };
      const mp_limb_t low = (bits(0) & 0x7ff) << 42 | bits(1) >> 22;
      value = Real::quick_sum(static_cast<double>(bits(0) >> 11), static_cast<double>(low) * 0x1p-53);
      value = value * power_of_two<Real>(11 - zeros);
    }
    const auto below = static_cast<std::int32_t>(limbs.size() - top);
    return {negative ? -value : value, -below * GMP_NUMB_BITS};
  }
};

/// to = a + b, or a - b if `negate_b`; `to` may be one of them.
void add(FixedReal& to, const FixedReal& a, const FixedReal& b, bool negate_b, std::size_t lowest) {
  const bool b_negative = b.negative != negate_b;
  const auto size = static_cast<mp_size_t>(a.limbs.size() - lowest);
  mp_limb_t* const result = to.limbs.data() + lowest;
  const mp_limb_t* const first = a.limbs.data() + lowest;
  const mp_limb_t* const second = b.limbs.data() + lowest;
  if (a.negative == b_negative) {
    mpn_add_n(result, first, second, size);
    to.negative = a.negative;
  } else if (mpn_cmp(first, second, size) >= 0) {
    const bool negative = a.negative;
    mpn_sub_n(result, first, second, size);
    to.negative = negative;
  } else {
    mpn_sub_n(result, second, first, size);
    to.negative = b_negative;
  }
}

/// The lowest limbs in use of a number and of its square.
struct LowestLimbs {
  std::size_t of_root = 0;
  std::size_t of_square = 0;
};

/// to = a^2, cut off; `space` has twice the limbs.
void square(FixedReal& to, const FixedReal& a, LowestLimbs lowest, std::vector<mp_limb_t>& space) {
  mpn_sqr(space.data(), a.limbs.data() + lowest.of_root,
          static_cast<mp_size_t>(a.limbs.size() - lowest.of_root));
  // The lowest limb of `space` is limb 2 * of_root - fraction of the square.
  const std::size_t ours = lowest.of_square + a.fraction();
  const std::size_t theirs = 2 * lowest.of_root;
  const std::size_t zeros = theirs > ours ? theirs - ours : 0;
  auto from = to.limbs.begin() + static_cast<std::ptrdiff_t>(lowest.of_square);
  from = std::fill_n(from, zeros, mp_limb_t{0});
  std::copy_n(space.begin() + static_cast<std::ptrdiff_t>(ours + zeros - theirs), to.limbs.end() - from,
              from);
  to.negative = false;
}

/// to = a b, or 2 a b if `twice`, cut off, with all limbs; `space` has twice the limbs.
void multiply(FixedReal& to, const FixedReal& a, const FixedReal& b, bool twice,
              std::vector<mp_limb_t>& space) {
  const std::size_t fraction = a.fraction();
  const auto size = static_cast<mp_size_t>(a.limbs.size());
  mpn_mul_n(space.data(), a.limbs.data(), b.limbs.data(), size);
  if (twice) {
    mpn_lshift(to.limbs.data(), space.data() + fraction, size, 1);
    to.limbs[0] |= space[fraction - 1] >> (GMP_NUMB_BITS - 1);
  } else {
    std::copy_n(space.data() + fraction, size, to.limbs.data());
  }
  to.negative = a.negative != b.negative;
}

/// A thread that squares a number as often as it is asked to, without sleeping in between.
class SquareThread {
 public:
  SquareThread(FixedReal& to, const FixedReal& from)
      : to_(to), from_(from), space_(2 * from.limbs.size()), thread_([this] { work(); }) {}
  ~SquareThread() {
    asked_.store(kEnd, std::memory_order_release);
    thread_.join();
  }
  SquareThread(const SquareThread&) = delete;
  SquareThread& operator=(const SquareThread&) = delete;

  void start(LowestLimbs lowest) {
    lowest_ = lowest;
    asked_.store(asked_.load(std::memory_order_relaxed) + 1, std::memory_order_release);
  }
  void wait() const { wait_for(done_, asked_.load(std::memory_order_relaxed)); }

 private:
  static constexpr std::uint64_t kEnd = ~std::uint64_t{0};
  /// Waits for a number of at least `least` and returns it; other threads get the processor if that takes
  /// long.
  static std::uint64_t wait_for(const std::atomic<std::uint64_t>& value, std::uint64_t least) {
    constexpr int kSpins = 20000;
    for (int spins = 0;; ++spins) {
      const std::uint64_t now = value.load(std::memory_order_acquire);
      if (now >= least) return now;
      if (spins > kSpins) std::this_thread::yield();
    }
  }
  void work() {
    for (std::uint64_t turn = 1;; ++turn) {
      if (wait_for(asked_, turn) == kEnd) return;
      square(to_, from_, lowest_, space_);
      done_.store(turn, std::memory_order_release);
    }
  }

  FixedReal& to_;
  const FixedReal& from_;
  LowestLimbs lowest_;
  std::vector<mp_limb_t> space_;
  std::atomic<std::uint64_t> asked_{0};
  std::atomic<std::uint64_t> done_{0};
  std::thread thread_;
};

/// A point of an orbit in fixed-point numbers, whose rounding does not depend on the point's distance from
/// zero.
///
/// Rounding Z_n by e has the effect of rounding an earlier Z_k by e / |dZ_n/dZ_k|, and this derivative grows
/// to 1 / width. So most points need far fewer limbs than c. They have as many as keep the effect of rounding
/// Z_n, at the Z_k where it is smallest, below 2^-32 of the last place of a number of all limbs: for up to
/// 2^32 points, all of these roundings together have less effect than one of such a number.
class OrbitPoint {
 public:
  /// Begins at re + i im, which is c too, unless `julia` is.
  OrbitPoint(const BigReal& re, const BigReal& im, std::int64_t bits, const std::optional<JuliaPoint>& julia)
      : OrbitPoint(re, im, static_cast<std::size_t>((bits + GMP_NUMB_BITS - 1) / GMP_NUMB_BITS)) {
    if (!julia) return;
    re_ = fixed(julia->re);
    im_ = fixed(julia->im);
  }

  /// Ends the helper threads, which iterate() starts where squares are large, and which busy-wait.
  void end_threads() {
    x_squares_.reset();
    y_squares_.reset();
  }
  /// Whether numbers keep all limbs: finding how many are needed would take longer than it saves.
  bool is_short() const { return x_.limbs.size() <= kShortLimbs; }
  /// z <- z^2 + c; `rounded` is rounded(), which short numbers do without.
  void iterate(const ComplexExp<double>& rounded) { is_short() ? iterate_short() : iterate_long(rounded); }
  template <typename Real>
  ComplexExp<Real> rounded() const {
    return complex_of(x_.rounded<Real>(lowest_), y_.rounded<Real>(lowest_));
  }
  /// |z|^2 of short numbers, rounded.
  double square_of_length() const {
    const auto value = [](const FixedReal& a) {
      const std::size_t top = a.limbs.size() - 1;
      return static_cast<double>(a.limbs[top]) + static_cast<double>(a.limbs[top - 1]) * 0x1p-64;
    };
    const double x = value(x_);
    const double y = value(y_);
    constexpr double kSmall = 0x1p-60;  // below it, the other limbs count
    const double square = x * x + y * y;
    return square > kSmall ? square : loom::square_of_length(rounded<double>().value());
  }
  /// Whether all limbs are in use, and z is the number that save() has saved.
  bool uses_all_limbs() const { return lowest_ == 0; }
  void save() {
    saved_x_ = x_;
    saved_y_ = y_;
  }
  bool is_saved() const {
    return x_.limbs == saved_x_.limbs && y_.limbs == saved_y_.limbs && x_.negative == saved_x_.negative &&
           y_.negative == saved_y_.negative;
  }
  std::int32_t fraction_bits() const { return static_cast<std::int32_t>(x_.fraction() * GMP_NUMB_BITS); }
  /// |z|^2 - 4.
  FloatExp<double> margin() {
    const LowestLimbs lowest{lowest_, lowest_};
    square(square_x_, x_, lowest, space_);
    square(square_y_, y_, lowest, space_);
    add(sum_, square_x_, square_y_, false, lowest_);
    if (sum_.limbs.back() >= 4) {
      sum_.limbs.back() -= 4;
      return sum_.rounded<double>(lowest_);
    }
    std::fill(square_x_.limbs.begin(), square_x_.limbs.end(), 0);
    square_x_.limbs.back() = 4;
    add(sum_, sum_, square_x_, true, lowest_);
    return sum_.rounded<double>(lowest_);
  }

 private:
  FixedReal fixed(double value) const {
    BigReal exact(RealBits<double>::kMantissa + 1);
    mpfr_set_d(exact.get(), value, MPFR_RNDN);
    return {exact, x_.fraction()};
  }
  OrbitPoint(const BigReal& re, const BigReal& im, std::size_t fraction)
      : re_(re, fraction),
        im_(im, fraction),
        x_(re_),
        y_(im_),
        square_x_(fraction),
        square_y_(fraction),
        sum_(fraction),
        saved_x_(fraction),
        saved_y_(fraction),
        space_(2 * (fraction + 1)) {}

  /// x^2 - y^2 = (x + y) (x - y): two products are faster than three squares.
  void iterate_short() {
    add(sum_, x_, y_, false, 0);
    add(square_x_, x_, y_, true, 0);
    multiply(y_, x_, y_, true, space_);
    multiply(x_, sum_, square_x_, false, space_);
    add(x_, x_, re_, false, 0);
    add(y_, y_, im_, false, 0);
  }
  /// (x + y)^2 - x^2 - y^2 = 2 x y: three squares are faster than two squares and a product.
  void iterate_long(const ComplexExp<double>& rounded) {
    slope_ = (rounded * slope_).doubled();
    if (slope_.exponent < 0) slope_ = ComplexExp<double>(Complex<double>{1, 0});
    const LowestLimbs lowest{lowest_, lowest_for(slope_.exponent)};
    set_threads(x_.limbs.size() - lowest_);
    const bool by_threads = x_squares_.has_value();
    add(sum_, x_, y_, false, lowest_);
    if (by_threads) {
      x_squares_->start(lowest);
      y_squares_->start(lowest);
    } else {
      square(square_x_, x_, lowest, space_);
      square(square_y_, y_, lowest, space_);
    }
    square(sum_, sum_, lowest, space_);
    if (by_threads) {
      x_squares_->wait();
      y_squares_->wait();
    }
    lowest_ = lowest.of_square;
    add(x_, square_x_, square_y_, true, lowest_);
    add(x_, x_, re_, false, lowest_);
    add(sum_, sum_, square_x_, true, lowest_);
    add(sum_, sum_, square_y_, true, lowest_);
    add(y_, sum_, im_, false, lowest_);
  }

  /// The last place may be off by 4 after each iteration.
  static constexpr std::int32_t kGuardBits = 32 + 2;
  static constexpr std::size_t kShortLimbs = 10;
  /// Squares of this size take microseconds, far longer than handing them to another thread.
  static constexpr std::size_t kLimbsForThreads = 96;
  static constexpr unsigned kProcessorsForThreads = 4;

  void set_threads(std::size_t limbs) {
    constexpr std::size_t kMargin = 8;  // numbers that change by a limb and back do not end and start them
    if (x_squares_ && limbs <= kLimbsForThreads) end_threads();
    if (x_squares_ || !may_use_threads_ || limbs <= kLimbsForThreads + kMargin) return;
    try {
      x_squares_.emplace(square_x_, x_);
      y_squares_.emplace(square_y_, y_);
    } catch (const std::system_error&) {
      may_use_threads_ = false;  // no more threads are possible
      end_threads();
    }
  }
  /// The lowest limb that a point with this exponent of its slope needs.
  std::size_t lowest_for(std::int32_t slope_exponent) const {
    constexpr std::size_t kLeast = 3;  // limbs of a fraction
    if (slope_exponent < kGuardBits || x_.fraction() < kLeast) return 0;
    const auto unneeded = static_cast<std::size_t>((slope_exponent - kGuardBits) / GMP_NUMB_BITS);
    return std::min(unneeded, x_.fraction() - kLeast);
  }

  FixedReal re_;
  FixedReal im_;
  FixedReal x_;
  FixedReal y_;
  FixedReal square_x_;
  FixedReal square_y_;
  FixedReal sum_;
  FixedReal saved_x_;
  FixedReal saved_y_;
  std::size_t lowest_ = 0;
  ComplexExp<double> slope_{Complex<double>{1, 0}};  ///< dZ_n/dZ_k for the k where it is largest
  std::vector<mp_limb_t> space_;
  bool may_use_threads_ = std::thread::hardware_concurrency() >= kProcessorsForThreads;
  std::optional<SquareThread> x_squares_;
  std::optional<SquareThread> y_squares_;
};

}  // namespace

template <typename Real>
ComplexExp<Real> ReferenceOrbit::at(std::uint32_t index) const {
  const Complex<double> point = points[index];
  if (index == 0 || exponent_of(larger_part(point)) >= kTinyExponent) {
    if constexpr (std::is_same_v<Real, DoubleDouble>)
      return ComplexExp<Real>({{point.re, low[index].re}, {point.im, low[index].im}});
    else
      return ComplexExp<Real>(point);
  }
  const auto found = std::lower_bound(tiny.begin(), tiny.end(), index,
                                      [](const TinyPoint& a, std::uint32_t b) { return a.index < b; });
  return converted<Real>(found->value);
}
template ComplexExp<double> ReferenceOrbit::at(std::uint32_t) const;
template ComplexExp<DoubleDouble> ReferenceOrbit::at(std::uint32_t) const;

struct ReferenceOrbitComputation::Point {
  Point(const BigReal& re, const BigReal& im, std::int64_t bits, const std::optional<JuliaPoint>& julia)
      : z(re, im, bits, julia) {}
  OrbitPoint z;
  bool began = false;
  ComplexExp<double> rounded;     ///< Z_n; zero before the first point
  ComplexExp<double> derivative;  ///< dZ_n/dc
};

ReferenceOrbitComputation::ReferenceOrbitComputation(const DecimalView& view, std::int64_t bits,
                                                     std::uint64_t available, bool twice,
                                                     const std::optional<JuliaPoint>& julia)
    : centre_(digits_of(view)), julia_(julia), twice_(twice) {
  orbit_.bits = bits;
  if (most_points(available) == 0) refuse(available);
  if (!julia_) point_ = point_at_centre();
  orbit_.points.push_back({0, 0});
  if (twice_) orbit_.low.push_back({0, 0});
}

std::unique_ptr<ReferenceOrbitComputation::Point> ReferenceOrbitComputation::point_at_centre() const {
  return std::make_unique<Point>(BigReal(centre_.re, orbit_.bits), BigReal(centre_.im, orbit_.bits),
                                 orbit_.bits, julia_);
}

ReferenceOrbitComputation::~ReferenceOrbitComputation() = default;

std::uint64_t ReferenceOrbitComputation::bytes_for(std::uint64_t points) const {
  constexpr std::uint64_t kNumbers = 16;  // of an OrbitPoint and its threads, and temporary ones of GMP
  return points * bytes_per_point() + kNumbers * static_cast<std::uint64_t>(orbit_.bits) / 8;
}

std::uint64_t ReferenceOrbitComputation::most_points(std::uint64_t available) const {
  return available > bytes_for(0) ? (available - bytes_for(0)) / bytes_per_point() : 0;
}

void ReferenceOrbitComputation::refuse(std::uint64_t available) const {
  const std::uint64_t needed = bytes_for(orbit_.points.size() + 1);
  throw CapacityError(
      fmt::format(
          "the reference orbit of this view, {} points of {} bits and more, needs {}; allowed: {}, a quarter "
          "of the machine's memory or what is free",
          orbit_.points.size(), orbit_.bits, describe_bytes(needed), describe_bytes(available)),
      needed, available);
}

bool ReferenceOrbitComputation::serves(FloatExp<double> radius, std::uint32_t limit) const {
  if (!complete_) return false;
  if (julia_) return limit <= julia_limit_;
  if (orbit_.end == OrbitEnd::kLimit) return limit <= orbit_.length();
  return orbit_.end != OrbitEnd::kPeriod || !(radius < orbit_.least_radius);
}

void ReferenceOrbitComputation::extend(FloatExp<double> radius, std::uint32_t limit, std::uint64_t available,
                                       const ProgressScope& call) {
  if (serves(radius, limit)) return;
  // The continued orbit has no end yet.
  complete_ = false;
  orbit_.end = OrbitEnd::kLimit;
  orbit_.least_radius = {};
  if (!julia_) {
    append(radius, limit, available, call);
    complete_ = true;
    return;
  }
  orbit_.points.resize(1);
  orbit_.low.resize(twice_ ? 1 : 0);
  orbit_.tiny.clear();
  orbit_.edges.clear();
  orbit_.first = 0;
  // An orbit at point n of the first part has at least n + 1 iterations: it ends, or is closer to 0 than to
  // the reference, before that part does.
  BigReal re(RealBits<double>::kMantissa + 1);
  BigReal im(RealBits<double>::kMantissa + 1);
  mpfr_set_d(re.get(), julia_->re, MPFR_RNDN);
  mpfr_set_d(im.get(), julia_->im, MPFR_RNDN);
  point_ = std::make_unique<Point>(re, im, orbit_.bits, julia_);
  append(radius, limit, available, call);
  const bool escapes = std::exchange(orbit_.end, OrbitEnd::kLimit) == OrbitEnd::kEscape;
  orbit_.first = orbit_.length() + 1;
  point_ = point_at_centre();
  append(radius, limit, available, call);
  julia_limit_ = escapes && orbit_.end == OrbitEnd::kEscape ? ~0u : limit;
  complete_ = true;
}

void ReferenceOrbitComputation::append(FloatExp<double> radius, std::uint32_t points, std::uint64_t available,
                                       const ProgressScope& call) {
  const ComplexExp<double> one(Complex<double>{1, 0});
  // Work between two polls: about a hundred thousand limbs.
  const auto poll_every = static_cast<std::uint32_t>(std::max<std::int64_t>(1, 6'000'000 / orbit_.bits));
  const std::uint32_t begin = orbit_.length();
  std::uint32_t reported = 0;
  struct ThreadsEnd {
    OrbitPoint& z;
    ~ThreadsEnd() { z.end_threads(); }
  } const threads_end{point_->z};
  const std::uint64_t end = std::uint64_t{std::max(orbit_.first, 1u)} - 1 + points;
  while (orbit_.length() < end) {
    const std::uint32_t n = orbit_.length() + 1;
    if ((n - 1 - begin) % poll_every == 0) {
      call.check();
      call.advance(n - 1 - reported);
      reported = n - 1;
    }
    if (orbit_.points.size() == orbit_.points.capacity()) {
      const std::uint64_t most = most_points(available);
      if (orbit_.points.size() >= most) refuse(available);
      try {
        orbit_.points.reserve(std::min<std::uint64_t>(most, 2 * orbit_.points.size()));
        if (twice_) orbit_.low.reserve(orbit_.points.capacity());
      } catch (const std::bad_alloc&) {
        refuse(available);
      }
    }
    if (std::exchange(point_->began, true)) point_->z.iterate(point_->rounded);
    const ComplexExp<DoubleDouble> both =
        twice_ ? point_->z.rounded<DoubleDouble>() : converted<DoubleDouble>(point_->z.rounded<double>());
    const auto point = converted<double>(both);
    point_->derivative = (point_->rounded * point_->derivative).doubled() + one;
    point_->rounded = point;
    if (point.exponent < kTinyExponent) orbit_.tiny.push_back({n, both});
    const double square = square_of_length(point.value());
    if (std::fabs(square - 4) < kEdge) orbit_.edges.push_back({n, point_->z.margin()});
    orbit_.points.push_back(point.value());
    if (twice_) {
      const Complex<DoubleDouble> value = both.value();
      orbit_.low.push_back({value.re.low, value.im.low});
    }
    if (!(square < kReferenceEscape)) {
      orbit_.end = OrbitEnd::kEscape;
      break;
    }
    const FloatExp<double> least = point.larger() / point_->derivative.larger();
    if (!julia_ && !(radius < least)) {
      orbit_.end = OrbitEnd::kPeriod;
      orbit_.least_radius = least;
      break;
    }
  }
  call.advance(points > reported ? points - reported : 0);
}

namespace {

/// The dwell, or nothing if it is not certain.
std::optional<std::uint32_t> certain_dwell(OrbitPoint& z, std::uint32_t limit, const ProgressScope& call) {
  constexpr std::uint32_t kPollEvery = 1 << 14;
  constexpr int kSafety = 10;  // bits: the roundings of an iteration, and of the test
  constexpr int kGrowthBits = 128;
  // The square of the largest |dz_n/dz_k| is growth 2^exponent.
  double growth = 1;
  int exponent = 0;
  double before = 0;  // |z|^2 of the point before
  std::uint32_t saved = 0;
  std::uint32_t save_at = 1;  // Brent's search: the next point to save
  bool all_limbs = true;      // since then
  for (std::uint32_t dwell = 0; dwell < limit; ++dwell) {
    if (dwell % kPollEvery == 0) call.check();
    const ComplexExp<double> value = z.is_short() ? ComplexExp<double>() : z.rounded<double>();
    const double square = z.is_short() ? z.square_of_length() : square_of_length(value.value());
    const int lost =
        (exponent + exponent_of(growth)) / 2 + 1 + std::bit_width(dwell) + kSafety - z.fraction_bits();
    if (lost > -RealBits<double>::kMantissa / 2) return {};
    FloatExp<double> excess(square - 4);
    if (std::fabs(square - 4) < kEdge) excess = z.margin();
    if (!(excess.mantissa < 0)) {
      if (dwell == 0) return 0;  // the pixel's point itself
      const FloatExp<double> error(1.0, lost);
      if (excess < error || FloatExp<double>(4 - before) < error) return {};
      return dwell;
    }
    before = square;
    all_limbs = all_limbs && z.uses_all_limbs();
    if (dwell > saved && all_limbs && z.is_saved()) return limit;
    if (dwell == save_at) {
      z.save();
      saved = dwell;
      save_at *= 2;
      all_limbs = true;
    }
    growth *= 4 * square;
    if (growth > power_of_two<double>(kGrowthBits)) {
      growth *= power_of_two<double>(-kGrowthBits);
      exponent += kGrowthBits;
    } else if (growth < 1 && exponent > 0) {
      growth *= power_of_two<double>(kGrowthBits);
      exponent -= kGrowthBits;
    }
    if (growth < 1 && exponent == 0) growth = 1;
    z.iterate(value);
  }
  return limit;
}

/// Whether the point is real and in the set. Most orbits there are chaotic, and rounding would never be
/// certain. (c = -2 is left out: its |z| is 2 from the start, which counts as escaped.)
bool is_in_set_on_axis(const BigReal& re, const BigReal& im, const std::optional<JuliaPoint>& julia) {
  const auto in_set = [](mpfr_srcptr c) { return mpfr_cmp_si(c, -2) > 0 && mpfr_cmp_d(c, 0.25) <= 0; };
  if (mpfr_zero_p(im.get()) == 0) return false;
  if (!julia) return in_set(re.get());
  // An orbit stays between the fixed point beta >= 1/2 of x^2 + c and -beta.
  BigReal next(2 * mpfr_get_prec(re.get()) + 2 * RealBits<double>::kBias);
  mpfr_set_d(next.get(), julia->re, MPFR_RNDN);
  if (julia->im != 0 || !in_set(next.get())) return false;
  if (mpfr_cmpabs(re.get(), BigReal("0.5", GMP_NUMB_BITS).get()) <= 0) return true;
  mpfr_sqr(next.get(), re.get(), MPFR_RNDN);
  mpfr_add_d(next.get(), next.get(), julia->re, MPFR_RNDN);
  return mpfr_sgn(next.get()) <= 0 || mpfr_cmpabs(next.get(), re.get()) <= 0;
}

}  // namespace

std::vector<std::optional<std::uint32_t>> fixed_point_dwells(const DecimalView& view, std::uint32_t width,
                                                             std::uint32_t height,
                                                             std::span<const Coord32> pixels,
                                                             std::int64_t bits, std::uint32_t limit,
                                                             const ProgressScope& call, Complex<double> turn,
                                                             const std::optional<JuliaPoint>& julia) {
  const ViewDigits digits = digits_of(view);
  const std::uint64_t work = std::uint64_t{limit} * pixels.size();
  const auto limbs = [](std::int64_t wide) { return static_cast<std::uint64_t>(wide / GMP_NUMB_BITS + 1); };
  // centre + view width (by_x (2 x - width) + by_y (2 y - height)) / (2 image width)
  const auto coordinate = [&](const std::string& centre, Coord32 pixel, double by_x, double by_y,
                              BigReal& x) {
    BigReal distance(mpfr_get_prec(x.get()));
    mpfr_set_si(distance.get(), 2 * static_cast<long>(pixel.y) - static_cast<long>(height), MPFR_RNDN);
    mpfr_mul_d(distance.get(), distance.get(), by_y, MPFR_RNDN);
    mpfr_set_si(x.get(), 2 * static_cast<long>(pixel.x) - static_cast<long>(width), MPFR_RNDN);
    mpfr_mul_d(x.get(), x.get(), by_x, MPFR_RNDN);
    mpfr_add(distance.get(), distance.get(), x.get(), MPFR_RNDN);
    mpfr_mul(distance.get(), distance.get(), BigReal(digits.width, mpfr_get_prec(x.get())).get(), MPFR_RNDN);
    mpfr_div_ui(distance.get(), distance.get(), 2ul * width, MPFR_RNDN);
    mpfr_set_str(x.get(), centre.c_str(), 10, MPFR_RNDN);
    mpfr_add(x.get(), x.get(), distance.get(), MPFR_RNDN);
  };
  std::vector<std::optional<std::uint32_t>> dwells(pixels.size());
  std::exception_ptr thrown;
#pragma omp parallel for schedule(dynamic) if (pixels.size() > 1)
  for (std::size_t i = 0; i < pixels.size(); ++i) {
    try {
      for (std::int64_t now = bits; !dwells[i] && limbs(now) * work <= kMaxExactLimbs; now *= 2) {
        BigReal re(now + GMP_NUMB_BITS);
        BigReal im(now + GMP_NUMB_BITS);
        coordinate(digits.re, pixels[i], turn.re, -turn.im, re);
        coordinate(digits.im, pixels[i], turn.im, turn.re, im);
        if (is_in_set_on_axis(re, im, julia)) {
          dwells[i] = limit;
        } else {
          OrbitPoint z(re, im, now, julia);
          dwells[i] = certain_dwell(z, limit, call);
        }
      }
    } catch (...) {
#pragma omp critical
      thrown = std::current_exception();
    }
  }
  if (thrown) std::rethrow_exception(thrown);
  return dwells;
}

ReferenceOrbit compute_reference_orbit(const DecimalView& view, std::int64_t bits, FloatExp<double> radius,
                                       std::uint32_t limit, std::uint64_t available,
                                       const ProgressScope& call) {
  ReferenceOrbitComputation computation(view, bits, available);
  computation.extend(radius, limit, available, call);
  return computation.orbit();
}

}  // namespace loom
