#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>

namespace loom {

/// The cost model of subdivision, in the form of the source's equations with G = g^D and R = r^D; in the
/// source's section 7 a region of side d in D dimensions has a border of 2 D d^(D - 1). Work and time are in
/// steps of one orbit. All values are doubles: exact for the usual powers of two, and never out
/// of range. Source: Quezada, Navarro, Hitschfeld, Bustos, "Modeling GPU Dynamic Parallelism for Self Similar
/// Density Workloads".
struct CostProblem {
  double n = 65536;     ///< side of the square image, or of the cube, in pixels or samples
  double dwell = 512;   ///< A: work of one pixel, about the dwell limit
  double p = 0.7;       ///< P: probability that a region splits, 0..1
  double lambda = 100;  ///< cost of a split in units of A
  double q = 128;       ///< multiprocessors
  double c = 64;        ///< cores per multiprocessor
  int dimensions = 2;   ///< D: 2 or 3
};

/// The parameters of a subdivision.
struct CostCut {
  std::uint32_t g = 2;
  std::uint32_t r = 2;
  std::uint32_t b = 2;
  friend bool operator==(const CostCut&, const CostCut&) = default;
};

/// tau = floor(log_r(n / (g B))), the number of levels; nothing if n < g B r, so that there is no level.
std::optional<int> cost_levels(const CostProblem& problem, const CostCut& cut);

/// W_Ex = n^D A.
double exhaustive_work(const CostProblem& problem);
/// T_Ex = A ceil(n^D / (q c)).
double exhaustive_time(const CostProblem& problem);

/// W_S, T_SBR and T_MBR. They throw InputError if cost_levels() returns nothing.
double subdivision_work(const CostProblem& problem, const CostCut& cut);
double sbr_time(const CostProblem& problem, const CostCut& cut);
double mbr_time(const CostProblem& problem, const CostCut& cut);

/// Omega = W_Ex / W_S, T_Ex / T_SBR, T_Ex / T_MBR.
enum class CostRatio { kWorkReduction, kSbrSpeedup, kMbrSpeedup };
double cost_ratio(CostRatio ratio, const CostProblem& problem, const CostCut& cut);

/// The source's search space.
inline constexpr std::array<std::uint32_t, 8> kCutValues = {2, 4, 8, 16, 32, 64, 128, 256};

/// A combination of g, r and B, and a value that it has: a ratio, or a time.
struct CutValue {
  CostCut cut;
  double value = 0;
};
/// The cut with the highest ratio among these values of g, r and B; the first one in the order g, r, B if
/// several have it; nothing if none is possible.
std::optional<CutValue> best_cut(CostRatio ratio, const CostProblem& problem,
                                 std::span<const std::uint32_t> g = kCutValues,
                                 std::span<const std::uint32_t> r = kCutValues,
                                 std::span<const std::uint32_t> b = kCutValues);

/// Throws InputError for values out of range: n 1..2^40, dimensions 2 and 3, dwell 1..2^32, p 0..1, lambda
/// 0..10^9, q and c 1..10^6.
void validate(const CostProblem& problem);

}  // namespace loom
