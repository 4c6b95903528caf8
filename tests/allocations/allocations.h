#pragma once

#include <cstdint>

namespace loom::tests {

/// How often this program has asked for memory by operator new, whichever library did. Only programs that
/// link test_allocations have it: there every such call is counted.
std::uint64_t allocations();

}  // namespace loom::tests
