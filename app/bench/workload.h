#pragma once

#include <array>
#include <string_view>

namespace loom::app::bench {

/// What every thread does with its cell.
enum class Workload { kLife };
inline constexpr std::array kWorkloads = {Workload::kLife};

/// "life". `parse_workload` throws InputError that lists them.
std::string_view name_of(Workload workload);
Workload parse_workload(std::string_view name);

}  // namespace loom::app::bench
