#include "app/bench/mandelbrot_sweep.h"

#include <fmt/format.h>

#include <set>
#include <string_view>
#include <tuple>

#include "app/bench/axis_text.h"
#include "compute/core/error.h"

namespace loom::app::bench {
namespace {

struct Cut {
  std::uint32_t g = 0;
  std::uint32_t r = 0;
  std::uint32_t b = 0;
  std::uint64_t product() const { return std::uint64_t{g} * r * b; }
};

std::vector<Cut> cuts_at(const MandelbrotAxes& axes, std::uint32_t n) {
  std::vector<Cut> cuts;
  for (const std::uint32_t g : axes.gs) {
    for (const std::uint32_t r : axes.rs) {
      for (const std::uint32_t b : axes.bs) {
        if (const Cut cut{g, r, b}; cut.product() <= n) cuts.push_back(cut);
      }
    }
  }
  if (cuts.empty()) cuts.push_back({axes.gs.front(), axes.rs.front(), axes.bs.front()});
  return cuts;
}

/// Resets parameters that the method or backend does not have, so that configurations with equal work compare
/// equal.
MandelbrotConfig plainest(MandelbrotConfig config, BackendKind backend, const MandelbrotAxes& axes) {
  const bool on_cpu = backend == BackendKind::kCpu;
  if (config.method == MandelbrotMethod::kDp) config.block = {64, 8};
  if (on_cpu) config.scheme = axes.schemes.front();
  if (config.method != MandelbrotMethod::kExhaustive) return config;
  const MandelbrotConfig standard;
  config.scheme = standard.scheme;
  config.g = standard.g;
  config.r = standard.r;
  config.b = standard.b;
  const MandelbrotOptimisations optimisations = config.optimisations;
  config.optimisations = kNoOptimisations;
  config.optimisations.narrow = optimisations.narrow && !on_cpu;
  config.optimisations.interior = optimisations.interior;
  return config;
}

/// The members in which configurations of one image differ.
auto key_of(const MandelbrotConfig& config) {
  unsigned optimisations = 0;
  for (const NamedOptimisation& idea : kMandelbrotOptimisations)
    optimisations = optimisations << 1 | (config.optimisations.*idea.flag ? 1u : 0u);
  return std::tuple(config.method, optimisations, config.scheme, config.g, config.r, config.b);
}

/// The distinct configurations of one image.
std::vector<MandelbrotConfig> methods_at(const MandelbrotAxes& axes, const MandelbrotConfig& base,
                                         std::uint32_t n, BackendKind backend) {
  std::vector<MandelbrotConfig> configs;
  std::set<decltype(key_of(base))> there;  // there may be 100,000, too many for a linear search
  const std::vector<Cut> cuts = cuts_at(axes, n);
  for (const MandelbrotMethod method : axes.methods) {
    for (const MandelbrotOptimisations& optimisations : axes.optimisations) {
      for (const RegionScheme scheme : axes.schemes) {
        for (const Cut& cut : cuts) {
          MandelbrotConfig config = base;
          config.method = method;
          config.optimisations = optimisations;
          config.scheme = scheme;
          config.g = cut.g;
          config.r = cut.r;
          config.b = cut.b;
          config = plainest(config, backend, axes);
          if (there.insert(key_of(config)).second) configs.push_back(config);
        }
      }
    }
  }
  return configs;
}

void check(const MandelbrotAxes& axes) {
  check_not_empty(axes.sizes.empty(), "size");
  check_not_empty(axes.methods.empty(), "method");
  check_not_empty(axes.schemes.empty(), "scheme");
  check_not_empty(axes.optimisations.empty(), "set of ideas");
  check_not_empty(axes.gs.empty(), "g");
  check_not_empty(axes.rs.empty(), "r");
  check_not_empty(axes.bs.empty(), "B");
  check_not_empty(axes.dwell_limits.empty(), "dwell limit");
  check_not_empty(axes.precisions.empty(), "precision");
  check_not_empty(axes.backends.empty(), "backend");
}

}  // namespace

std::vector<MandelbrotCase> expand(const MandelbrotAxes& axes) {
  check(axes);
  std::vector<MandelbrotCase> cases;
  for (const BackendSelection& backend : axes.backends) {
    for (const std::uint32_t dwell_limit : axes.dwell_limits) {
      for (const Precision precision : axes.precisions) {
        for (const std::uint32_t n : axes.sizes) {
          const MandelbrotView view{{}, n, n};
          validate(view, precision);
          const MandelbrotConfig base{.dwell_limit = dwell_limit, .precision = precision};
          for (const MandelbrotConfig& config : methods_at(axes, base, n, backend.device.kind)) {
            validate(config);
            cases.push_back({config, view, backend, 0});
          }
        }
      }
    }
  }
  return cases;
}

// Dwell limits, sizes and precisions are valid independently of each other, so their combinations are counted
// and not validated one by one.
std::uint64_t count_cases(const MandelbrotAxes& axes) {
  check(axes);
  for (const std::uint32_t dwell_limit : axes.dwell_limits) validate({.dwell_limit = dwell_limit});
  std::uint64_t cases = 0;
  for (const BackendSelection& backend : axes.backends) {
    for (const std::uint32_t n : axes.sizes) {
      for (const Precision precision : axes.precisions) validate(MandelbrotView{{}, n, n}, precision);
      const std::vector<MandelbrotConfig> configs = methods_at(axes, {}, n, backend.device.kind);
      for (const MandelbrotConfig& config : configs) validate(config);
      cases += configs.size() * axes.dwell_limits.size() * axes.precisions.size();
    }
  }
  return cases;
}

}  // namespace loom::app::bench
