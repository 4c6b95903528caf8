#pragma once

#include <string>

namespace loom::cpu {

/// Creates the calling thread's pool of OpenMP threads with as many threads as possible. The OpenMP runtime
/// ends the program if it cannot create a thread during the work. This function first determines the limits
/// (processes of a user or a control group, address space), creates fewer threads if necessary, and reserves
/// their stacks before other memory is allocated. It also leaves out threads beyond the useful number. Has no
/// effect if the pool exists. Must be called by every thread that computes.
void make_pool();

/// "2 threads", with a remark if there are fewer than requested.
std::string threads_text();

}  // namespace loom::cpu
