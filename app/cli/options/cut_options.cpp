#include "app/cli/options/cut_options.h"

#include <fmt/format.h>

#include "app/cli/options/read_number.h"

namespace loom::app {
namespace {

constexpr std::uint64_t kMaxParts = 1024;

void parse_part(const char* option, const std::optional<std::string>& text, std::uint64_t lowest,
                std::uint32_t& number) {
  if (text) number = static_cast<std::uint32_t>(read_whole_number(option, *text, lowest, kMaxParts));
}

}  // namespace

void CutOptions::apply_to(MandelbrotConfig& config) const {
  parse_part("--g", g, 1, config.g);
  parse_part("--r", r, 2, config.r);
  parse_part("--b", b, 1, config.b);
}

void add_cut_options(CLI::App& command, CutOptions& options, const std::string& before,
                     const MandelbrotConfig& defaults) {
  const auto text = [&](const char* what, std::uint32_t lowest, std::uint32_t present) {
    return fmt::format("{}{}, {} to {} ({} by default)", before, what, lowest, kMaxParts, present);
  };
  const std::string first = before.empty() ? "Initial" : "initial";
  command.add_option("--g", options.g, text((first + " regions per axis").c_str(), 1, defaults.g))
      ->type_name("N");
  const std::string parts = before.empty() ? "Subdivision" : "subdivision";
  command.add_option("--r", options.r, text((parts + " per axis").c_str(), 2, defaults.r))->type_name("N");
  const char* const b = "B (a region splits while its side / r is greater than B)";
  command.add_option("--b", options.b, text(b, 1, defaults.b))->type_name("N");
}

}  // namespace loom::app
