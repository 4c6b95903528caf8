#include "app/workspaces/mandelbrot/scene/tour.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "app/files/toml_document.h"
#include "compute/core/named_choice.h"
#include "tour_text.h"

namespace loom::app {
namespace {

constexpr std::array<std::string_view, 7> kKeys = {"name", "note", "re", "im", "width", "precision", "dwell"};
constexpr std::string_view kAllowedKeys = "name, note, re, im, width, precision, dwell";
constexpr std::size_t kMaxName = 64;
constexpr std::size_t kMaxNote = 200;

/// Converts [[view]] tables to stops. Every error names the file and the line.
class TourReader {
 public:
  explicit TourReader(std::string_view file) : file_(file) {}

  std::vector<TourStop> read(const toml::table& document) const {
    for (const auto& [key, value] : document) {
      if (key.str() != "view") {
        fail(key.source(), fmt::format("unknown key '{}'; allowed: [[view]] tables", key.str()));
      }
    }
    const toml::array* views = document["view"].as_array();
    if (views == nullptr || views->empty()) {
      throw InputError(fmt::format("{}:1: no [[view]] table; allowed: one or more", file_));
    }
    std::vector<TourStop> stops;
    for (const toml::node& node : *views) {
      if (!node.is_table()) fail(node.source(), "a view is not a table; allowed: [[view]] tables");
      stops.push_back(read_stop(*node.as_table()));
    }
    return stops;
  }

 private:
  [[noreturn]] void fail(const toml::source_region& where, std::string_view what) const {
    throw InputError(fmt::format("{}:{}: {}", file_, where.begin.line, what));
  }

  TourStop read_stop(const toml::table& table) const {
    for (const auto& [key, value] : table) {
      if (std::find(kKeys.begin(), kKeys.end(), key.str()) == kKeys.end()) {
        fail(key.source(), fmt::format("unknown key '{}'; allowed: {}", key.str(), kAllowedKeys));
      }
    }
    TourStop stop;
    stop.name = read_text(table, "name", kMaxName);
    if (stop.name.empty()) fail(table.source(), "a view has no name; allowed: 1 to 64 characters");
    stop.note = read_text(table, "note", kMaxNote);
    stop.view.centre.x = read_number(table, "re", -4, 4);
    stop.view.centre.y = read_number(table, "im", -4, 4);
    stop.view.width = read_number(table, "width", 1e-13, 16);
    if (const toml::node* node = table.get("precision")) {
      try {
        stop.precision = parse_choice("precision", node->value_or(std::string("none")), kDirectPrecisions);
      } catch (const InputError& error) {
        fail(node->source(), error.what());
      }
    }
    if (const toml::node* node = table.get("dwell")) {
      const auto limit = node->value_exact<std::int64_t>();
      if (!limit || *limit < 1 || *limit > std::int64_t{kMaxNarrowLimit}) {
        fail(node->source(),
             fmt::format("dwell is not allowed; allowed: a whole number from 1 to {}", kMaxNarrowLimit));
      }
      stop.dwell_limit = static_cast<std::uint32_t>(*limit);
    }
    return stop;
  }

  std::string read_text(const toml::table& table, std::string_view key, std::size_t longest) const {
    const toml::node* node = table.get(key);
    if (node == nullptr) return {};
    const auto text = node->value_exact<std::string>();
    if (!text || text->size() > longest) {
      fail(node->source(), fmt::format("{} is not allowed; allowed: a text of up to {} bytes", key, longest));
    }
    return *text;
  }

  double read_number(const toml::table& table, std::string_view key, double lowest, double highest) const {
    const auto allowed = fmt::format("allowed: a number from {} to {}", lowest, highest);
    const toml::node* node = table.get(key);
    if (node == nullptr) fail(table.source(), fmt::format("a view has no {}; {}", key, allowed));
    const double value = node->is_number() ? node->value_or(NAN) : NAN;
    if (!(value >= lowest && value <= highest)) {
      fail(node->source(), fmt::format("{} is not allowed; {}", key, allowed));
    }
    return value;
  }

  std::string file_;
};

}  // namespace

std::vector<TourStop> parse_tour(std::string_view text, std::string_view file) {
  return TourReader(file).read(
      parse_toml(text, std::string(file), fmt::format("[[view]] tables with {}", kAllowedKeys)));
}

const std::vector<TourStop>& built_in_tour() {
  static const std::vector<TourStop> stops = parse_tour(embedded::tour_toml, "tour.toml");
  return stops;
}

}  // namespace loom::app
