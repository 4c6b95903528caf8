#pragma once

#include <cstdint>

namespace loom::tests {

/// The number of calls of operator new in this program so far, including calls by libraries. Only available
/// in programs that link test_allocations.
std::uint64_t allocations();

}  // namespace loom::tests
