#include "app/bench/same_conditions.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "compute/core/input_text.h"

namespace loom::app::bench {
namespace {

using Json = nlohmann::ordered_json;
using Found = std::optional<Difference>;

template <typename Value>
Found compare(const char* what, const Value& first, const Value& second) {
  if (first == second) return std::nullopt;
  return Difference{what, fmt::format("{}", first), fmt::format("{}", second)};
}

std::string json_text(const Json& value) {
  return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

/// Compares objects by key, in any order of members.
Found compare_json(const std::string& path, const Json& first, const Json& second) {
  if (!first.is_object() || !second.is_object()) {
    if (first == second) return std::nullopt;
    return Difference{path, json_text(first), json_text(second)};
  }
  for (const auto& [key, value] : first.items()) {
    const std::string inner = path + "." + key;
    if (!second.contains(key)) return Difference{inner, json_text(value), "none"};
    if (auto found = compare_json(inner, value, second[key])) return found;
  }
  for (const auto& [key, value] : second.items()) {
    if (!first.contains(key)) return Difference{path + "." + key, "none", json_text(value)};
  }
  return std::nullopt;
}

std::string text_of(const Gpu& gpu) {
  return fmt::format("{}: {}, compute capability {}, {} multiprocessors, {} bytes", gpu.device, gpu.name,
                     gpu.compute_capability, gpu.multiprocessors, gpu.bytes);
}

std::string text_of(const std::vector<Gpu>& gpus) {
  std::string text;
  for (const Gpu& gpu : gpus) text += (text.empty() ? "" : "; ") + text_of(gpu);
  return text.empty() ? "no GPU" : text;
}

/// The lines of nvidia-smi without the current clocks, which are the second and fourth of five values.
std::string steady_text(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) {
    const bool has_five = std::count(line.begin(), line.end(), ',') == 4;
    int value = 0;
    for (const char c : line) {
      if (c == ',') ++value;
      if (!has_five || (value != 1 && value != 3)) text += c;
    }
    text += '\n';
  }
  return text;
}

Found compare(const Machine& first, const Machine& second) {
  if (auto found = compare("machine.cpu", first.cpu, second.cpu)) return found;
  if (auto found = compare("machine.threads", first.threads, second.threads)) return found;
  if (first.gpus != second.gpus) {
    return Difference{"machine.gpus", text_of(first.gpus), text_of(second.gpus)};
  }
  if (auto found = compare("machine.cuda_driver", first.cuda_driver, second.cuda_driver)) return found;
  if (auto found = compare("machine.cuda_runtime", first.cuda_runtime, second.cuda_runtime)) return found;
  return compare("machine.nvidia_smi", steady_text(first.nvidia_smi), steady_text(second.nvidia_smi));
}

Found compare_shards(const Results& first, const Results& second) {
  const auto count = [](const Results& results) {
    return results.shards ? fmt::format("{}", results.shards->of) : std::string("none");
  };
  if (auto found = compare("shards", count(first), count(second))) return found;
  if (!first.shards) return compare("planned", first.planned, second.planned);
  return compare("shards.configurations", first.shards->configurations, second.shards->configurations);
}

}  // namespace

std::optional<Difference> difference(const Results& first, const Results& second) {
  if (auto found = compare("program", first.program, second.program)) return found;
  if (auto found = compare("commit", first.commit, second.commit)) return found;
  if (auto found = compare("sweep", name_of(first.kind()), name_of(second.kind()))) return found;
  if (auto found = compare_json("settings", first.settings, second.settings)) return found;
  if (auto found = compare(first.machine, second.machine)) return found;
  return compare_shards(first, second);
}

std::string to_string(const Difference& difference) {
  return fmt::format("{}: {} and {}", shown(difference.what), shown(difference.first),
                     shown(difference.second));
}

}  // namespace loom::app::bench
