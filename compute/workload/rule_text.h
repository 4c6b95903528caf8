#pragma once

#include <span>
#include <string>
#include <string_view>

#include "compute/workload/game_of_life.h"

namespace loom {

/// A rule with a common name.
struct NamedRule {
  std::string_view rule;  ///< "B36/S23"
  std::string_view name;  ///< "HighLife"
};
/// The papers' rule first, then the others in the order of their popularity.
std::span<const NamedRule> named_rules();
/// "HighLife"; empty if the rule has no name.
std::string_view name_of(LifeRule rule);

/// Reads a rule in one of these notations; spaces and case are ignored:
/// - "B3/S23", "b3s23", "S23/B3": either list may be empty;
/// - "23/3": survival first, the notation before letters became usual;
/// - either with the number of states at the end: "B2/S345/C4", "345/2/4";
/// - Larger than Life: "R5,C0,M1,S34..58,B34..45,NM" with radius, states (0 and 1 mean 2), whether a living
///   cell counts itself, ranges of survival and birth, and neighbourhood NM, NN or NC;
/// - a name of named_rules(), or "Conway", "Life", "Move", "papers".
/// Golly's bounds of the plane after it (":T64,64") are ignored: a fractal has its own. Throws InputError.
LifeRule parse_rule(std::string_view text);
/// Whether a rule that parse_rule() reads names bounds of the plane.
bool names_bounds(std::string_view text);
inline constexpr const char* kBoundsNote =
    "The bounds of the plane in --rule are ignored: those of the fractal apply.";
/// The rule as "B3/S23", as "B2/S345/C4" if it has more than two states, or in the notation of Larger than
/// Life.
std::string to_string(LifeRule rule);

/// Reads a rule of three dimensions in one of these notations; spaces and case are ignored:
/// - "B5..7/S4..7", "S4,6,12..14/B5": counts from 0 to 26 and ranges, separated by commas; either list may be
///   empty; "/C5" after them is the number of states;
/// - "5766", Bays' notation: the smallest and the largest count of survival, then of birth; also
///   "10,21,10,21".
/// Throws InputError.
SolidRule parse_solid_rule(std::string_view text);
/// The rule as "B5..7/S4..7", with "/C5" if it has more than two states.
std::string to_string(SolidRule rule);

/// "dead", "alive", "state 2".
std::string name_of_state(std::uint32_t state);

}  // namespace loom
