#pragma once

#include <string>

namespace loom::cpu {

/// Makes the calling thread's pool of OpenMP threads now, with as many as can be made. OpenMP's own runtime
/// ends the program where it cannot make one, in the midst of the work; here the limits (processes of a user
/// or a control group, address space) are found out first, fewer threads are made, and their stacks are
/// taken before memory is shared out. More threads than are of any use are left out too. Does nothing where
/// the pool is there. Call it in every thread that computes.
void make_pool();

/// "2 threads", with a word where they are fewer than were asked for.
std::string threads_text();

}  // namespace loom::cpu
