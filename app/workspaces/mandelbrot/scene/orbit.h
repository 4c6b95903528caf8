#pragma once

#include <glm/vec2.hpp>
#include <vector>

namespace loom::app {

/// The orbit of c in double precision: c and the following points while |z|^2 < 4, including the first point
/// outside. At most `limit` + 1 points, and at most `most`.
std::vector<glm::dvec2> orbit_of(glm::dvec2 c, std::uint32_t limit, std::size_t most);

}  // namespace loom::app
