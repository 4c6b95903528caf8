#include "app/bench/mandelbrot_sweep.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <span>
#include <utility>

#include "app/bench/results.h"
#include "compute/backend/engine_factory.h"
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
        config.optimisations = {};
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

/// The view of a width with n x n pixels. The published one is a window, except for perturbed precisions.
MandelbrotView view_of(const MandelbrotAxes& axes, const std::string& width, std::uint32_t n,
                       Precision precision) {
  const DecimalView view{axes.center.re, axes.center.im, width};
  const bool is_published = view == DecimalView{"-0.5", "0", "2"};
  if (is_published && !is_perturbed(precision)) return {{}, n, n};
  return make_decimal_view(view, n, n);
}

const ConfigField& field_of(std::string_view option) {
  return *find_field(mandelbrot_config_fields(), option);
}

/// The distinct precisions at a width. kAuto is resolved for the view with the most pixels.
std::vector<Precision> precisions_at(const MandelbrotAxes& axes, const std::string& width) {
  std::vector<Precision> precisions;
  for (const std::string& value : values_of(axes, field_of("precision"))) {
    MandelbrotConfig config;
    field_of("precision").read(value, config);
    const Precision precision = resolve_precision(
        config.precision, view_of(axes, width, std::ranges::max(axes.sizes), config.precision));
    if (std::ranges::find(precisions, precision) == precisions.end()) precisions.push_back(precision);
  }
  return precisions;
}

/// Every combination of the values of the independent fields.
std::vector<MandelbrotConfig> independent_configs(const MandelbrotAxes& axes, const std::string& width) {
  std::vector<MandelbrotConfig> configs;
  const std::vector<Precision> precisions = precisions_at(axes, width);
  for (const std::string& dwell : values_of(axes, field_of("dwell"))) {
    for (const Precision precision : precisions) {
      MandelbrotConfig& config = configs.emplace_back();
      field_of("dwell").read(dwell, config);
      config.precision = precision;
    }
  }
  return configs;
}

/// Throws the problem of the first view if no precision can show any.
void check_views(const MandelbrotAxes& axes) {
  std::string first;
  for (const std::string& width : axes.widths) {
    for (const Precision precision : precisions_at(axes, width)) {
      for (const std::uint32_t n : axes.sizes) {
        const std::string problem = precision_problem(precision, view_of(axes, width, n, precision));
        if (problem.empty()) return;
        if (first.empty()) first = problem;
      }
    }
  }
  throw InputError(first);
}

void check(const MandelbrotAxes& axes) {
  check_not_empty(axes.sizes.empty(), "size");
  check_not_empty(axes.widths.empty(), "width");
  check_not_empty(axes.backends.empty(), "backend");
  for (const ConfigField& field : mandelbrot_config_fields()) {
    if (field.in_sweep) values_of(axes, field);
  }
  check_views(axes);
}

}  // namespace

std::string precision_problem(Precision precision, const MandelbrotView& view) {
  if (!is_perturbed(precision) && !distinguishes_pixels(precision, view)) {
    return fmt::format(
        "precision {} does not distinguish the pixels of a view of width {}; allowed: a larger width, or "
        "another precision",
        name_of(precision), width_text(view));
  }
  try {
    validate(view, precision);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

std::vector<MandelbrotCase> expand(const MandelbrotAxes& axes) {
  check(axes);
  std::vector<MandelbrotCase> cases;
  for (const BackendSelection& backend : axes.backends) {
    for (const std::string& width : axes.widths) {
      for (const MandelbrotConfig& base : independent_configs(axes, width)) {
        for (const std::uint32_t n : axes.sizes) {
          const MandelbrotView view = view_of(axes, width, n, base.precision);
          for (const MandelbrotConfig& config : ConfigsOfImage(axes, n, backend.device).of(base)) {
            validate(config);
            cases.push_back({config, view, backend, 0});
          }
        }
      }
    }
  }
  return cases;
}

std::uint64_t count_cases(const MandelbrotAxes& axes) {
  check(axes);
  std::uint64_t cases = 0;
  for (const std::string& width : axes.widths) {
    const std::size_t bases = independent_configs(axes, width).size();
    for (const BackendSelection& backend : axes.backends) {
      for (const std::uint32_t n : axes.sizes) {
        const std::vector<MandelbrotConfig> configs = ConfigsOfImage(axes, n, backend.device).of({});
        for (const MandelbrotConfig& config : configs) validate(config);
        cases += configs.size() * bases;
      }
    }
  }
  return cases;
}

}  // namespace loom::app::bench
