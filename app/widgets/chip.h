#pragma once

namespace loom::app {

// Entries of a legend as chips: items on a background of their own, with rounded ends.

/// Padding at both ends of a chip, and the gap between two.
float chip_padding();
float chip_gap();
/// The items between these two calls, on one line, are the chip's. Chips do not nest.
void begin_chip();
void end_chip();

}  // namespace loom::app
