#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "compute/mandelbrot/complex.h"
#include "compute/mandelbrot/decimal_view.h"
#include "compute/mandelbrot/formula.h"

namespace loom {

/// The method that computes the dwells of an image. Mariani-Silver: a region whose border has one dwell is
/// filled.
enum class MandelbrotMethod {
  kExhaustive,  ///< every pixel, by the plain loop; the reference for the other methods
  kDp,   ///< regions that split launch their children themselves: CUDA dynamic parallelism; on the CPU,
         ///< recursion
  kAsk,  ///< adaptive serial kernels: one kernel per level over an offset lookup table (OLT)
};
inline constexpr std::array kMandelbrotMethods = {MandelbrotMethod::kExhaustive, MandelbrotMethod::kDp,
                                                  MandelbrotMethod::kAsk};

/// Thread blocks per region: a single block (SBR) for all of its work, or multiple blocks (MBR) for the fill
/// and for the leaf. On the CPU both are the same.
enum class RegionScheme { kSbr, kMbr };
inline constexpr std::array kRegionSchemes = {RegionScheme::kSbr, RegionScheme::kMbr};

/// The evaluator of the dwell. Perturbed ones iterate the distance from a reference orbit and need the
/// Mandelbrot set and a view with a decimal centre (DecimalView); wide ones have its smallest width.
enum class Precision {
  kAuto,                ///< the cheapest one that is exact enough for the view, with MandelbrotConfig::exact
  kFloat,               ///< c itself in IEEE binary32
  kDouble,              ///< c itself in IEEE binary64
  kPerturbedFloat,      ///< distances in binary32: fast, not exact
  kPerturbedDouble,     ///< distances in binary64
  kPerturbedWideFloat,  ///< binary32 and an exponent of 32 bits: fast, not exact
  kPerturbedWide,       ///< binary64 and an exponent of 32 bits
};
inline constexpr std::array kPrecisions = {
    Precision::kAuto,           Precision::kFloat,           Precision::kDouble,
    Precision::kPerturbedFloat, Precision::kPerturbedDouble, Precision::kPerturbedWideFloat,
    Precision::kPerturbedWide};
inline constexpr std::array kDirectPrecisions = {Precision::kFloat, Precision::kDouble};
inline bool is_perturbed(Precision precision) {
  return precision >= Precision::kPerturbedFloat;
}
inline bool is_direct(Precision precision) {
  return precision == Precision::kFloat || precision == Precision::kDouble;
}

/// The regions with a uniform border that are filled.
enum class FillRule {
  kUniform,   ///< all
  kInterior,  ///< only those at the dwell limit: every other pixel is computed, as smooth colouring requires
};
inline constexpr std::array kFillRules = {FillRule::kUniform, FillRule::kInterior};

/// "exhaustive", "dp", "ask"; "sbr", "mbr"; "auto", "float", "perturbed-double" ...; "uniform", "interior".
std::string_view name_of(MandelbrotMethod method);
std::string_view name_of(RegionScheme scheme);
std::string_view name_of(Precision precision);
std::string_view name_of(FillRule rule);

/// Optimisations beyond the published form. Each can be switched separately, so that its effect can be
/// measured. None changes an image, except `tiles` and, if a border misses a detail, `mirror`. The exhaustive
/// method uses only `narrow` and `interior`. See docs/explanation/mandelbrot.md.
struct MandelbrotOptimisations {
  bool early_stop = true;   ///< the border test stops at the first difference
  bool periodicity = true;  ///< an orbit that returns exactly to an earlier value never escapes
  bool narrow = true;       ///< CUDA: dwells are stored as uint16 instead of uint32
  bool tiles = true;        ///< leaves are divided into tiles of a warp's size with shared borders
  bool regroup = true;      ///< CUDA: pixels with many iterations are regrouped into full warps
  bool queue = true;     ///< CUDA, ASK: thread blocks take regions from a queue instead of in a fixed stride
  bool join = true;      ///< CUDA, DP: the thread blocks of a grid launch their children in one launch
  bool mirror = true;    ///< rows below the real axis are copies of those above if they are identical
  bool interior = true;  ///< points in the components of period 1, 2 and 3 are not iterated

  friend auto operator<=>(const MandelbrotOptimisations&, const MandelbrotOptimisations&) = default;
};
using OptimisationFlag = bool MandelbrotOptimisations::*;
struct NamedOptimisation {
  std::string_view name;
  OptimisationFlag flag;
};
inline constexpr std::array kMandelbrotOptimisations = {
    NamedOptimisation{"early-stop", &MandelbrotOptimisations::early_stop},
    NamedOptimisation{"periodicity", &MandelbrotOptimisations::periodicity},
    NamedOptimisation{"narrow", &MandelbrotOptimisations::narrow},
    NamedOptimisation{"tiles", &MandelbrotOptimisations::tiles},
    NamedOptimisation{"regroup", &MandelbrotOptimisations::regroup},
    NamedOptimisation{"queue", &MandelbrotOptimisations::queue},
    NamedOptimisation{"join", &MandelbrotOptimisations::join},
    NamedOptimisation{"mirror", &MandelbrotOptimisations::mirror},
    NamedOptimisation{"interior", &MandelbrotOptimisations::interior}};
/// The published form: no optimisations.
inline constexpr MandelbrotOptimisations kNoOptimisations{false, false, false, false, false,
                                                          false, false, false, false};
/// "all", "none", or a comma-separated list of names; `parse_optimisations` throws InputError with the list
/// of names.
std::string to_string(const MandelbrotOptimisations& optimisations);
MandelbrotOptimisations parse_optimisations(std::string_view text);

/// The shape of a CUDA thread block, x by y threads; the product is a multiple of 32 up to 1024. CUDA only.
struct BlockShape {
  std::uint32_t x = 16;
  std::uint32_t y = 16;
  friend auto operator<=>(const BlockShape&, const BlockShape&) = default;
};
/// "64x8"; the parser throws InputError.
std::string to_string(const BlockShape& shape);
BlockShape parse_block_shape(std::string_view text);

inline constexpr std::uint32_t kMaxDivision = 1024;  ///< largest g, r and B
inline constexpr std::uint32_t kMaxDwellLimit = 0x7fffffff;
inline constexpr std::uint32_t kMaxNarrowLimit = 65535;  ///< dwells up to it are stored in 16 bits
inline constexpr std::uint32_t kDefaultDwellLimit = 512;

/// The settings that determine how dwells are computed. At level i the image is divided into (g r^i) x (g
/// r^i) regions of nearly equal size; a level splits while (longest side of the image) / (g r^i) / r > B.
struct MandelbrotConfig {
  EscapeTimeSet set = {};
  MandelbrotMethod method = MandelbrotMethod::kAsk;
  RegionScheme scheme = RegionScheme::kSbr;
  std::uint32_t g = 32;                            ///< first regions on each axis, 1..1024
  std::uint32_t r = 2;                             ///< parts of a split on each axis, 2..1024
  std::uint32_t b = 32;                            ///< B, pixels, 1..1024
  std::uint32_t dwell_limit = kDefaultDwellLimit;  ///< 1..2^31 - 1
  BlockShape block = {};
  Precision precision = Precision::kFloat;
  /// With kPerturbedDouble and kPerturbedWide: pixels whose dwell rounding may have changed are computed
  /// again with a mantissa of two doubles. kAuto implies it.
  bool exact = false;
  FillRule fill = FillRule::kUniform;
  MandelbrotOptimisations optimisations = {};

  friend auto operator<=>(const MandelbrotConfig&, const MandelbrotConfig&) = default;
};

/// Selects a method. A block shape that is the default of the old method becomes the default of the new one:
/// 64 x 8 for DP (as its authors chose), otherwise 16 x 16.
void set_method(MandelbrotConfig& config, MandelbrotMethod method);

/// A dwell limit for a view whose width is that of the whole set divided by 2^halvings: kDefaultDwellLimit,
/// and as much again for each complete halving. At most kMaxDwellLimit.
std::uint32_t dwell_limit_of_depth(double halvings);

/// A part of the complex plane; re grows to the right and im downwards, from pixel (0, 0).
struct ComplexWindow {
  double re_min = -1.5;
  double re_max = 0.5;
  double im_min = -1;
  double im_max = 1;
  friend bool operator==(const ComplexWindow&, const ComplexWindow&) = default;
};

/// e^(i A) of an angle in degrees. Exact for multiples of 90; otherwise each part is off by at most 1e-15.
Complex<double> direction_of(double degrees);

/// The pixels of an image: pixel (i, j) of width x height is the point c = re_min + i (re_max - re_min) /
/// width, im_min + j (im_max - im_min) / height, turned about the centre by `angle`: c = centre + (c -
/// centre) e^(i angle).
struct MandelbrotView {
  ComplexWindow window = {};
  std::uint32_t width = 1024;  ///< 1..2^20; the same for height
  std::uint32_t height = 1024;
  /// A view of any depth, whose pixels are those of DecimalView; null: `window`. The window is then rounded.
  std::shared_ptr<const DecimalView> decimal = nullptr;
  double angle = 0;  ///< degrees, finite
  std::uint64_t pixels() const { return std::uint64_t{width} * height; }
  bool is_turned() const { return std::remainder(angle, 360) != 0; }
  friend bool operator==(const MandelbrotView& a, const MandelbrotView& b) {
    return a.window == b.window && a.width == b.width && a.height == b.height && a.angle == b.angle &&
           (a.decimal == b.decimal || (a.decimal && b.decimal && *a.decimal == *b.decimal));
  }
};

/// A view with a decimal centre and width; its window is rounded to double.
MandelbrotView make_decimal_view(DecimalView decimal, std::uint32_t width, std::uint32_t height,
                                 double angle = 0);

/// Whether the coordinates of adjacent pixels differ by several units in the last place of a direct
/// precision.
bool distinguishes_pixels(Precision precision, const MandelbrotView& view);

/// The precision of a computation: for kAuto the cheapest evaluator that is exact enough for the view, or
/// double if no evaluator of the set is; otherwise the given one.
Precision resolve_precision(Precision precision, const MandelbrotView& view, const EscapeTimeSet& set = {});
/// The configuration of a computation, whose precision is not kAuto.
MandelbrotConfig resolved(MandelbrotConfig config, const MandelbrotView& view);

/// Whether dwells of a configuration are stored in 16 bits.
inline bool fits_narrow(const MandelbrotConfig& config) {
  return config.dwell_limit <= kMaxNarrowLimit;
}

/// Throws InputError, one line that names the number, unless it is from `lowest` to `highest`.
void check_range(std::string_view name, std::uint32_t value, std::uint32_t lowest, std::uint32_t highest);

/// Throw InputError, one line with the allowed values, for numbers and block shapes out of range, for a
/// window that is not finite or is empty (in the arithmetic of `precision`), for sides out of range, and for
/// a precision that the view does not allow. Available memory is not tested.
void validate(const MandelbrotConfig& config);
void validate(const MandelbrotView& view, Precision precision, const EscapeTimeSet& set = {});
/// Both, for a configuration that is resolved(), and whether the precision can show the view of this set.
void validate(const MandelbrotConfig& config, const MandelbrotView& view);
/// Why a set has no perturbed precision: "there is no perturbation for burning-ship".
std::string perturbation_problem(const EscapeTimeSet& set);

}  // namespace loom
