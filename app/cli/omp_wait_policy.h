#pragma once

namespace loom::app {

/// Makes OpenMP threads sleep while they wait instead of spinning for milliseconds, which leaves the cores to
/// OpenGL (Mesa renders on them) and to the system between two steps; on two cores that doubles the frame
/// rate. libgomp reads the wait policy from the environment only when it is loaded, so this function sets it
/// and re-executes the program in the same process. Does nothing if the user has set a policy.
void set_passive_omp_wait();

}  // namespace loom::app
