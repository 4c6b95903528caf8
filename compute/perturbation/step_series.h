#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "compute/mandelbrot/complex.h"
#include "compute/perturbation/orbit_steps.h"

// How series steps (orbit_steps.h) are composed.

namespace loom {

/// 2^exponent; 0 below the range of normal numbers.
inline double unit_of(std::int32_t exponent) {
  return exponent < -1022 ? 0.0 : std::ldexp(1.0, exponent);
}

/// 2^exponent z.
template <typename Real>
Complex<Real> scaled(Complex<Real> z, std::int32_t exponent) {
  const double factor = unit_of(exponent);
  return {z.re * factor, z.im * factor};
}

/// Calls use(i, j) for the terms x^i y^j of a polynomial without a constant, up to degree `most`.
template <typename Use>
void for_each_term(int most, const Use& use) {
  for (int i = 0; i <= most; ++i) {
    for (int j = i == 0 ? 1 : 0; i + j <= most; ++j) use(i, j);
  }
}

/// The power of x in a polynomial to degree N, of which has(i, j) says whether there is a term x^i y^j.
template <int N, typename Has>
int degree_of_x(const Has& has) {
  int degree = 0;
  for_each_term(N, [&](int i, int j) { degree = has(i, j) ? i : degree; });
  return degree;
}

template <typename Real>
bool is_zero(Complex<Real> z) {
  return larger_part(z) == 0;
}

template <typename Real>
Series<Real> operator*(const Series<Real>& a, const Series<Real>& b) {
  constexpr int N = Series<Real>::N;
  Series<Real> product{};
  for_each_term(N - 1, [&](int i, int j) {
    if (is_zero(a.terms[i][j])) return;
    for_each_term(N - i - j, [&](int k, int l) {
      Complex<Real>& sum = product.terms[i + k][j + l];
      sum = multiply_add(a.terms[i][j], b.terms[k][l], sum);
    });
  });
  return product;
}

/// `outer` of x = `inner`.
template <typename Real>
Series<Real> composed(const Series<Real>& outer, const Series<Real>& inner) {
  constexpr int N = Series<Real>::N;
  const int degree = degree_of_x<N>([&](int i, int j) { return !is_zero(outer.terms[i][j]); });
  Series<Real> sum{};
  for (int j = 1; j <= N; ++j) sum.terms[0][j] = outer.terms[0][j];
  Series<Real> power = inner;
  for (int i = 1; i <= degree; ++i) {
    for (int j = 0; i + j <= N; ++j) {
      if (is_zero(outer.terms[i][j])) continue;
      for_each_term(N - j, [&](int k, int l) {
        Complex<Real>& term = sum.terms[k][l + j];
        term = multiply_add(outer.terms[i][j], power.terms[k][l], term);
      });
    }
    if (i < degree) power = power * inner;
  }
  return sum;
}

/// Upper bounds of the terms of a polynomial for |x| and |y| up to given ones, by degree: of those with x and
/// of those with y alone. The last place has all degrees above N.
template <int N>
struct SeriesBound {
  double with_x[N + 1] = {};
  double alone[N + 1] = {};

  double sum() const {
    double sum = 0;
    for (int i = 0; i <= N; ++i) sum += with_x[i] + alone[i];
    return sum;
  }
  /// Adds `factor` y^j times another one; `factor` contains the bound of y^j.
  void add(const SeriesBound& added, int j, double factor) {
    for (int i = 0; i <= N; ++i) {
      const int place = std::min(i + j, N);
      with_x[place] += factor * added.with_x[i];
      alone[place] += factor * added.alone[i];
    }
  }
  friend SeriesBound operator*(const SeriesBound& a, const SeriesBound& b) {
    SeriesBound product;
    for (int i = 0; i <= N; ++i) {
      for (int k = 0; k <= N; ++k) {
        const int place = std::min(i + k + 1, N);
        product.with_x[place] += a.with_x[i] * (b.with_x[k] + b.alone[k]) + a.alone[i] * b.with_x[k];
        product.alone[place] += a.alone[i] * b.alone[k];
      }
    }
    return product;
  }
};

/// A series step while it is composed of shorter ones. |c| is at most the radius of the view.
template <typename Real>
class StepSeries {
 public:
  StepSeries() = default;
  /// A single iteration, z = w + c, for |w| < 2^`w_exponent`. |w| < 1 does not restrict it: within steps,
  /// orbits are close to the reference.
  StepSeries(std::int32_t w_exponent, std::int32_t c_exponent) : usable_(true), exponent_(w_exponent) {
    series_.terms[1][0] = {Real(unit_of(w_exponent)), Real(0.0)};
    series_.terms[0][1] = {Real(unit_of(c_exponent)), Real(0.0)};
  }
  /// A step without a series.
  StepSeries(const OrbitStep<Real>& step, std::int32_t c_exponent) {
    const FloatExp<double> threshold =
        step.threshold < step.quadratic_threshold ? step.quadratic_threshold : step.threshold;
    if (threshold.is_zero()) return;
    usable_ = true;
    exponent_ = std::min(threshold.exponent, 0);  // a single iteration is valid for every w
    const auto in_units = [](ComplexExp<Real> term, std::int32_t exponent) {
      if (!term.is_zero()) term.exponent += exponent;
      return term.value();
    };
    series_.terms[1][0] = in_units(step.a, exponent_);
    series_.terms[2][0] = in_units(step.q, 2 * exponent_);
    series_.terms[0][1] = in_units(step.b, c_exponent);
  }

  /// Whether the step may be taken, then for |w| < 2^exponent.
  bool is_usable() const { return usable_; }
  std::int32_t exponent() const { return exponent_; }
  /// In the units of SeriesStep.
  const Series<Real>& series() const { return series_; }

  /// Appends a step that begins at `point`, where distances are at most `distance`.
  void join(const StepSeries& step, Complex<Real> point, double distance) {
    usable_ = usable_ && step.usable_ && distance > 0;
    if (!usable_) return;
    const Complex<Real> slope{point.re + point.re, point.im + point.im};
    joins_.push_back({sizes_of(series_), sizes_of(step.series_), -step.exponent_, length(slope), distance});
    Series<Real> inner = series_ * series_;
    for_each_term(N, [&](int i, int j) {
      inner.terms[i][j] =
          scaled(multiply_add(slope, series_.terms[i][j], inner.terms[i][j]), -step.exponent_);
    });
    series_ = composed(step.series_, inner);
  }
  /// Ends the composition: finds the exponent, for |y| up to `y` and a rounding of 2^-`bits`.
  void set_exponent(double y, int bits) {
    constexpr int kRange = 128;
    int below = 0;
    if (usable_ && !holds(0, y, bits)) {
      below = -kRange;
      usable_ = holds(below, y, bits);
      for (int above = 0; usable_ && above - below > 1;) {
        const int middle = below + (above - below) / 2;
        (holds(middle, y, bits) ? below : above) = middle;
      }
    }
    exponent_ += below;
    for_each_term(N, [&](int i, int j) { series_.terms[i][j] = scaled(series_.terms[i][j], i * below); });
    joins_.clear();
  }

 private:
  static constexpr int N = Series<Real>::N;
  using Bound = SeriesBound<N>;
  struct Sizes {
    double terms[N + 1][N + 1];
  };
  struct Join {
    Sizes before;
    Sizes step;
    std::int32_t unit;  ///< x of the step is 2^unit w
    double slope;       ///< |2 Z|
    double distance;
  };

  static double length(Complex<Real> z) {
    return std::hypot(static_cast<double>(z.re), static_cast<double>(z.im));
  }
  static Sizes sizes_of(const Series<Real>& series) {
    Sizes sizes{};
    for_each_term(N, [&](int i, int j) { sizes.terms[i][j] = length(series.terms[i][j]); });
    return sizes;
  }
  static Bound bound_of(const Sizes& sizes, const double (&x)[N + 1], const double (&y)[N + 1]) {
    Bound bound;
    for_each_term(N, [&](int i, int j) {
      (i > 0 ? bound.with_x : bound.alone)[i + j - 1] += sizes.terms[i][j] * x[i] * y[j];
    });
    return bound;
  }

  /// Whether each join is exact enough for |x| up to 2^exponent: what is left out may not be above the
  /// rounding of the linear terms.
  bool holds(int exponent, double y_most, int bits) const {
    double x[N + 1] = {1};
    double y[N + 1] = {1};
    for (int i = 1; i <= N; ++i) {
      x[i] = x[i - 1] * unit_of(exponent);
      y[i] = y[i - 1] * y_most;
    }
    for (const Join& join : joins_) {
      const Bound before = bound_of(join.before, x, y);
      if (before.sum() > join.distance) return false;
      Bound square = before * before;
      square.add(before, 0, join.slope);
      Bound inner;
      inner.add(square, 0, unit_of(join.unit));
      if (!(inner.sum() < 1)) return false;
      const int degree = degree_of_x<N>([&](int i, int j) { return join.step.terms[i][j] != 0; });
      Bound after;
      for (int j = 1; j <= N; ++j) after.alone[j - 1] = join.step.terms[0][j] * y[j];
      Bound power = inner;
      for (int i = 1; i <= degree; ++i) {
        for (int j = 0; i + j <= N; ++j) after.add(power, j, join.step.terms[i][j] * y[j]);
        if (i < degree) power = power * inner;
      }
      if (after.with_x[N] > std::ldexp(after.with_x[0], -bits) ||
          after.alone[N] > std::ldexp(after.alone[0], -bits))
        return false;
    }
    return true;
  }

  Series<Real> series_{};
  bool usable_ = false;
  std::int32_t exponent_ = 0;
  std::vector<Join> joins_;
};

}  // namespace loom
