#pragma once

namespace loom::app {

/// Makes OpenMP's threads sleep while they wait, instead of spinning for milliseconds, so that they leave the
/// cores to OpenGL (Mesa draws on them) and to the rest of the system between two steps: on two cores that
/// doubles the frame rate. libgomp reads the wait policy from the environment when it is loaded and never
/// again; so this sets it and starts the program over, in the same process. Does nothing where the user has
/// chosen a policy.
void wait_passively();

}  // namespace loom::app
