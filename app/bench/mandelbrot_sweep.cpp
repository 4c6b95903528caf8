#include "app/bench/mandelbrot_sweep.h"

#include <algorithm>
#include <set>
#include <span>
#include <string>
#include <utility>

#include "app/bench/axis_text.h"
#include "compute/backend/mandelbrot_factory.h"
#include "compute/core/error.h"
#include "compute/mandelbrot/mandelbrot_fields.h"

namespace loom::app::bench {
namespace {

using ConfigField = Field<MandelbrotConfig>;
using Fields = std::span<const ConfigField>;

/// Fields whose values are valid independently of the others, so that their combinations need not be built to
/// be counted.
bool is_independent(const FieldInfo& field) {
  return field.key == "dwell_limit" || field.key == "precision";
}

bool is_of_cut(const FieldInfo& field) {
  return field.key == "g" || field.key == "r" || field.key == "b";
}

/// The values of a field; throws InputError if there are none.
std::vector<std::string> values_of(const MandelbrotAxes& axes, const ConfigField& field) {
  const auto found = axes.fields.find(field.option);
  check_not_empty(found == axes.fields.end() || found->second.empty(), field.label);
  return found->second.front() == kAllWord && !field.names().empty() ? field.names() : found->second;
}

std::uint64_t product_of_cut(const MandelbrotConfig& config) {
  return std::uint64_t{config.g} * config.r * config.b;
}

/// The distinct configurations of an image of n x n pixels.
class ConfigsOfImage {
 public:
  ConfigsOfImage(const MandelbrotAxes& axes, std::uint32_t n, const Device& device) : n_(n), device_(device) {
    MandelbrotConfig smallest;
    for (const ConfigField& field : mandelbrot_config_fields()) {
      if (!field.in_sweep || is_independent(field)) continue;
      std::vector<std::string> values = values_of(axes, field);
      if (is_of_cut(field)) {
        const auto as_number = [](const std::string& text) { return std::stoul(text); };
        field.read(*std::ranges::min_element(values, {}, as_number), smallest);
      }
      // On the CPU both schemes are the same.
      if (field.key == "scheme" && device.on_host) values.resize(1);
      axes_.emplace_back(&field, std::move(values));
    }
    // Where no cut fits the image, the first one is kept.
    fits_ = product_of_cut(smallest) <= n;
    for (auto& [field, values] : axes_) {
      if (!fits_ && is_of_cut(*field)) values.resize(1);
    }
  }

  std::vector<MandelbrotConfig> of(const MandelbrotConfig& base) {
    configs_.clear();
    seen_.clear();
    add(0, base);
    return std::move(configs_);
  }

 private:
  /// Adds `config` with every combination of the values of the axes from `axis` on.
  void add(std::size_t axis, MandelbrotConfig config) {
    if (axis == axes_.size()) {
      add_one(config);
      return;
    }
    const auto& [field, values] = axes_[axis];
    if (!field->varies(config)) {
      add(axis + 1, config);
      return;
    }
    for (const std::string& value : values) {
      if (field->has_auto && value == kAutoWord) {
        config.optimisations = fastest_optimisations(device_);
      } else {
        field->read(value, config);
      }
      add(axis + 1, config);
    }
  }

  void add_one(MandelbrotConfig config) {
    if (config.method == MandelbrotMethod::kExhaustive) {
      // The only optimizations that it has.
      const MandelbrotOptimisations all = config.optimisations;
      config.optimisations = kNoOptimisations;
      config.optimisations.narrow = all.narrow && !device_.on_host;
      config.optimisations.interior = all.interior;
    } else if (fits_ && product_of_cut(config) > n_) {
      return;
    }
    if (seen_.insert(config).second) configs_.push_back(config);
  }

  std::uint32_t n_;
  Device device_;
  bool fits_ = true;
  std::vector<std::pair<const ConfigField*, std::vector<std::string>>> axes_;
  std::set<MandelbrotConfig> seen_;  // there may be 100,000, too many for a linear search
  std::vector<MandelbrotConfig> configs_;
};

/// Every combination of the values of the independent fields.
std::vector<MandelbrotConfig> independent_configs(const MandelbrotAxes& axes) {
  std::vector<MandelbrotConfig> configs = {{}};
  for (const ConfigField& field : mandelbrot_config_fields()) {
    if (!field.in_sweep || !is_independent(field)) continue;
    const auto values = values_of(axes, field);
    std::vector<MandelbrotConfig> more;
    for (const MandelbrotConfig& config : configs) {
      for (const std::string& value : values) field.read(value, more.emplace_back(config));
    }
    configs = std::move(more);
  }
  // Views of a sweep are windows, which have no perturbed precisions.
  std::erase_if(configs, [](const MandelbrotConfig& config) {
    return config.precision == Precision::kAuto || is_perturbed(config.precision);
  });
  if (configs.empty())
    throw InputError("precision: no value that a benchmark measures; allowed: float, double");
  return configs;
}

void check(const MandelbrotAxes& axes) {
  check_not_empty(axes.sizes.empty(), "size");
  check_not_empty(axes.backends.empty(), "backend");
  for (const ConfigField& field : mandelbrot_config_fields()) {
    if (field.in_sweep) values_of(axes, field);
  }
}

}  // namespace

std::vector<MandelbrotCase> expand(const MandelbrotAxes& axes) {
  check(axes);
  std::vector<MandelbrotCase> cases;
  for (const BackendSelection& backend : axes.backends) {
    for (const MandelbrotConfig& base : independent_configs(axes)) {
      for (const std::uint32_t n : axes.sizes) {
        const MandelbrotView view{{}, n, n};
        validate(view, base.precision);
        for (const MandelbrotConfig& config : ConfigsOfImage(axes, n, backend.device).of(base)) {
          validate(config);
          cases.push_back({config, view, backend, 0});
        }
      }
    }
  }
  return cases;
}

std::uint64_t count_cases(const MandelbrotAxes& axes) {
  check(axes);
  const std::vector<MandelbrotConfig> bases = independent_configs(axes);
  std::uint64_t cases = 0;
  for (const BackendSelection& backend : axes.backends) {
    for (const std::uint32_t n : axes.sizes) {
      for (const Precision precision : kDirectPrecisions) validate(MandelbrotView{{}, n, n}, precision);
      const std::vector<MandelbrotConfig> configs = ConfigsOfImage(axes, n, backend.device).of({});
      for (const MandelbrotConfig& config : configs) validate(config);
      cases += configs.size() * bases.size();
    }
  }
  return cases;
}

}  // namespace loom::app::bench
