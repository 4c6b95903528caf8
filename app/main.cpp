#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <map>
#include <new>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "app/cli/command.h"
#include "app/files/output_file.h"
#include "compute/backend/map_backend.h"
#include "compute/core/error.h"
#include "compute/cpu/available_memory.h"
#include "compute/distributed/process_group.h"

namespace loom::app {
namespace {

constexpr int kUnexpected = 70;

/// Stack of the main thread and, by default, of all others. Measured: every subcommand runs with 192 KiB, not
/// all with 128 KiB; the rest is for drivers and deeper files.
constexpr rlim_t kLeastStack = rlim_t{1} << 20;

/// Throws MachineError if the stack is limited to less: the program would be ended in the middle of its work.
void require_stack() {
  rlimit limit{};
  if (getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur >= kLeastStack) return;
  throw MachineError(fmt::format("the stack is limited to {}; required: {} (ulimit -s {})",
                                 describe_bytes(limit.rlim_cur), describe_bytes(kLeastStack),
                                 kLeastStack / 1024));
}

/// What nobody would read to its end is cut in its midst: the end says what is allowed.
void shorten(std::string& message) {
  constexpr std::size_t kMost = 4000;
  constexpr std::size_t kEnd = 1000;
  if (message.size() <= kMost) return;
  message = message.substr(0, kMost - kEnd) + " ... " + message.substr(message.size() - kEnd);
}

/// Whether this is one of several processes, which have found that they are to do the same.
bool has_several_ranks = false;

/// Says in one line what went wrong, whatever the message looked like, and passes the exit status on.
int fail(std::string message, int status) {
  // Of several processes the first says what is the same for all; the others end after it.
  const ProcessGroup* const ranks = has_several_ranks ? ProcessGroup::join() : nullptr;
  if (ranks != nullptr && ranks->rank() != 0) {
    ranks->barrier_all();
    return status;
  }
  shorten(message);
  print_error(fmt::format("fractal-loom: {}\n", one_line(message)));
  if (ranks != nullptr) ranks->barrier_all();
  return status;
}

constexpr auto kSubcommands = std::to_array<std::pair<const char*, Action (*)(CLI::App&)>>({
    {"view", add_view},
    {"shot", add_shot},
    {"video", add_video},
    {"life", add_life},
    {"mandelbrot", add_mandelbrot},
    {"volume", add_volume},
    {"model", add_model},
    {"verify", add_verify},
    {"bench", add_bench},
    {"plot", add_plot},
    {"lesson", add_lesson},
    {"figure", add_figure},
    {"timeline", add_timeline},
    {"lens", add_lens},
    {"map", add_map},
    {"export", add_export},
    {"info", add_info},
    {"manual", add_manual},
});

bool is_command(std::string_view name) {
  return std::ranges::any_of(kSubcommands, [&](const auto& one) { return one.first == name; });
}

std::string allowed_commands() {
  std::vector<std::string> names;
  for (const auto& [name, add] : kSubcommands) names.emplace_back(name);
  return fmt::format("{}", fmt::join(names, ", "));
}

std::string allowed_options(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options()) names.push_back(option->get_name());
  return fmt::format("{}", fmt::join(names, ", "));
}

/// CLI11's complaint in one line, with what would have been allowed.
std::string usage_error_text(const CLI::App& root, const CLI::ParseError& error) {
  const auto commands = root.get_subcommands();
  if (commands.empty()) return fmt::format("{}; allowed: {}", error.what(), allowed_options(root));
  const CLI::App& command = *commands.front();
  const auto unknown = command.remaining();
  if (!unknown.empty()) {
    return fmt::format("{}: unknown argument '{}'; allowed: {}", command.get_name(), unknown.front(),
                       allowed_options(command));
  }
  std::string name = command.get_name();
  for (auto inner = command.get_subcommands(); !inner.empty(); inner = inner.front()->get_subcommands())
    name += " " + inner.front()->get_name();
  return fmt::format("{0}: {1}; allowed: see fractal-loom {0} --help", name, error.what());
}

/// The words, with `view` put in where no subcommand is named but options, or a file.
std::vector<std::string> words_of(int argc, char** argv) {
  std::vector<std::string> words(argv + 1, argv + argc);
  // A file may follow --csv of map check: only a separator is its value.
  if (words.size() > 1 && words[0] == "map") {
    const auto csv = std::find(words.begin() + 1, words.end(), "--csv");
    if (csv != words.end()) {
      const bool typed = csv + 1 != words.end() && (csv[1] == ";" || csv[1] == ",");
      *csv += typed ? "=" + csv[1] : "=,";
      if (typed) words.erase(csv + 1);
    }
  }
  // The parser would take the next word for the value, be it an option.
  for (const std::string& word : words) {
    if (word.starts_with("--") && word.find('=') == word.size() - 1 && word.size() > 3)
      throw InputError(fmt::format("{} has no value; allowed: {}VALUE", word, word));
  }
  const auto is_for_root = [](const std::string& word) {
    return word == "--help" || word == "-h" || word == "--version";
  };
  const bool is_option = words.empty() || words.front().starts_with('-');
  std::error_code ignored;
  const bool is_file = !is_option && !is_command(words.front()) &&
                       (std::filesystem::is_regular_file(words.front(), ignored) ||
                        std::filesystem::path(words.front()).has_extension());
  if (words.empty() || is_file || (is_option && !is_for_root(words.front()))) {
    words.insert(words.begin(), "view");
  } else if (!is_option && !is_command(words.front())) {
    throw InputError(fmt::format("unknown subcommand '{}'; allowed: {}", words.front(), allowed_commands()));
  }
  return words;
}

/// Processes that were started together do the same, and nothing that they cannot share: each would do the
/// whole of it.
void join_ranks(int argc, char** argv) {
  // Started over by itself later on, a process could not join the others again.
  if (ProcessGroup::started() > 1 && argc > 1 && std::string_view(argv[1]) == "bench") set_passive_omp_wait();
  const ProcessGroup* const ranks = ProcessGroup::join();
  if (ranks == nullptr) return;
  ranks->require_same("versions", LOOM_VERSION);
  ranks->require_same("options", fmt::format("{}", fmt::join(argv + 1, argv + argc, " ")));
}
void require_single_process(const CLI::App& root) {
  if (!has_several_ranks) return;
  for (const CLI::App* const command : root.get_subcommands()) {
    const std::string& name = command->get_name();
    if (name == "life" || name == "bench" || name == "mandelbrot" || name == "info") continue;
    throw InputError(
        fmt::format("'{}' runs in one process, not in {}; allowed with mpirun: life, bench, mandelbrot", name,
                    ProcessGroup::started()));
  }
}

/// What ran out of memory, how much there is, and what would need less.
MachineError out_of_memory(const CLI::App& root, const std::vector<std::string>& words) {
  constexpr std::size_t kMaxShown = 200;
  std::string typed = fmt::format("{}", fmt::join(words, " "));
  if (typed.size() > kMaxShown) typed = typed.substr(0, kMaxShown) + "...";
  std::vector<std::string> remedies;
  for (const char* name : {"--level", "--level-max", "--size", "--samples", "--spans"}) {
    for (const CLI::App* command : root.get_subcommands()) {
      if (command->get_option_no_throw(name) != nullptr) remedies.emplace_back(name);
    }
  }
  return MachineError(fmt::format("out of memory for '{}'; free: {}{}{}", typed,
                                  describe_bytes(cpu::available_memory()),
                                  remedies.empty() ? "" : "; reduce ", fmt::join(remedies, ", ")));
}

int act(const CLI::App& root, const Action& chosen, const std::vector<std::string>& words) {
  try {
    return chosen();
  } catch (const std::system_error&) {
    throw_if_output_failed();
    throw;
  } catch (const std::bad_alloc&) {
    throw out_of_memory(root, words);
  } catch (const std::length_error&) {  // more than a container can ever hold
    throw out_of_memory(root, words);
  }
}

int run(int argc, char** argv) {
  CLI::App root(
      "Fractal Loom shows how GPU threads are mapped onto fractals. Without a subcommand it opens the "
      "window.",
      "fractal-loom");
  root.set_version_flag("--version", "fractal-loom " LOOM_VERSION);
  root.require_subcommand(0, 1);
  root.footer(
      "The window takes the options of view: fractal-loom view --help lists them.\n"
      "Exit status: 0 done, 1 a check failed, 2 bad usage or input, 3 required hardware or resource not "
      "available, 70 unexpected error.");
  // The options of one subcommand take a third of a short run's time: the others get theirs only for a text
  // about all.
  std::vector<std::string> words = words_of(argc, argv);
  const bool needs_all = !is_command(words.front()) || words.front() == "manual";
  std::map<std::string_view, Action> actions;
  for (const auto& [name, add] : kSubcommands) {
    CLI::App* const command = root.add_subcommand(name);
    if (needs_all || words.front() == name) actions.emplace(name, add(*command));
  }
  const auto action = actions.find(words.front());
  std::ranges::reverse(words);  // CLI11's order
  try {
    root.parse(std::move(words));
  } catch (const CLI::Success& success) {  // --help, --version
    const int status = root.exit(success);
    flush_standard_output();
    return status;
  } catch (const CLI::ParseError& error) {
    return fail(usage_error_text(root, error), kBadInput);
  }
  require_single_process(root);
  const int status = act(root, action->second, {argv + 1, argv + argc});
  flush_standard_output();
  return status;
}

int run_and_explain(int argc, char** argv) {
  try {
    require_stack();
    join_ranks(argc, argv);
    has_several_ranks = ProcessGroup::started() > 1;
    return run(argc, argv);
  } catch (const InputError& error) {
    has_several_ranks = ProcessGroup::started() > 1;  // where they differ, all have found that
    return fail(error.what(), kBadInput);
  } catch (const MachineError& error) {
    return fail(error.what(), kMachineLacks);
  } catch (const std::bad_alloc&) {
    return fail("out of memory", kMachineLacks);
  } catch (const std::exception& error) {
    return fail(fmt::format("unexpected error: {}", error.what()), kUnexpected);
  }
}

/// Memory that fails where nothing may be thrown, as in a destructor of a library, ends as it does elsewhere.
[[noreturn]] void end_in_order() {
  try {
    if (const std::exception_ptr failure = std::current_exception()) std::rethrow_exception(failure);
  } catch (const std::bad_alloc&) {
    print_error("fractal-loom: out of memory\n");
    std::_Exit(kMachineLacks);
  } catch (...) {
  }
  std::abort();
}

}  // namespace
}  // namespace loom::app

int main(int argc, char** argv) {
  using namespace loom::app;
  guard_standard_streams();
  std::set_terminate(end_in_order);
  // A file that grows past the limit is an error of writing it, as a full disk is.
  std::signal(SIGXFSZ, SIG_IGN);
  const int status = run_and_explain(argc, argv);
  loom::ProcessGroup::leave();
  return status;
}
