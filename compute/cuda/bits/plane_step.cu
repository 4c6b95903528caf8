#include <array>

#include "compute/cuda/bits/catalog_program.cuh"
#include "compute/cuda/bits/plane_step.h"
#include "compute/cuda/bits/plane_step_kernel.cuh"
#include "compute/cuda/launch.cuh"

namespace loom::cuda {
namespace {

constexpr unsigned kThreads = kPlaneThreads;
/// The slowdown of a program in memory compared with a compiled one.
constexpr std::uint64_t kTimesByTables = 8;
/// From this number of words on, the slowdown exceeds the launch overhead.
constexpr std::uint64_t kWorthCompiling = std::uint64_t{1} << 12;

constexpr unsigned blocks_of(std::uint32_t threads) {
  return (threads + kThreads - 1) / kThreads;
}

/// The next generation of a word with a program in memory: words are read in place, through the cache.
/// `beside(g, slot)` is the neighbour of a slot's group in direction g.
template <typename Word, int kSlots, typename Beside>
__device__ __forceinline__ Word next_of_plane(const PlaneProgram* __restrict__ program, std::uint32_t p,
                                              const Word* __restrict__ from, std::uint64_t base,
                                              const RuleMasks& rule, const Beside& beside) {
  const auto planes = static_cast<std::uint32_t>(program->planes);
  Word in[8];
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    in[i] = 0;
    if (i >= program->source_count[p]) continue;
    const std::uint32_t source = program->sources[p][i];
    if (source < planes) {
      in[i] = __ldg(from + base + source * 32);
      continue;
    }
    const PlaneProgram::Relation& relation = program->relations[source - planes];
    Word word = 0;
    const auto add = [&](Word of, ShiftRange range) {
      for (int s = range.first; s < range.last; ++s) {
        word |= shifted(of, program->shifts[s].shift) & static_cast<Word>(program->shifts[s].mask);
      }
    };
    add(__ldg(from + base + relation.plane * 32u), program->inner[relation.direction]);
    for (int g = 0; g < kDirections; ++g) {
      if (relation.halo_word[g] == PlaneProgram::kNoSource) continue;
      std::uint32_t mine[kSlots];
      for (int slot = 0; slot < kSlots; ++slot) mine[slot] = beside(g, slot);
      add(halo_word<kSlots>(from, planes, relation.plane, mine), program->halo[relation.direction][g]);
    }
    in[i] = word;
  }
  return next_of(rule, __ldg(from + base + p * 32), in);
}

/// All threads of the planes, one plane after the other.
template <typename Word, int kSlots, bool kCounts>
__global__ void __launch_bounds__(kThreads)
    step_any_planes_kernel(const __grid_constant__ PlaneGroups groups,
                           const PlaneProgram* __restrict__ program, const Word* __restrict__ from,
                           Word* __restrict__ to, std::uint16_t* __restrict__ counts,
                           const __grid_constant__ RuleMasks rule) {
  const std::uint32_t t = groups.first + blockIdx.x * kThreads + threadIdx.x;
  if (t >= groups.threads) return;
  const auto planes = static_cast<std::uint32_t>(program->planes);
  const std::uint64_t base = std::uint64_t{t / 32} * (planes * 32) + t % 32;
  __shared__ std::uint32_t beside[kDirections][kSlots][kThreads];
  for (int g = 0; g < kDirections; ++g) {
    if (!(program->halo_directions >> g & 1u)) continue;
    for (int slot = 0; slot < kSlots; ++slot) {
      const std::uint32_t found = groups.neighbours.beside(t * kSlots + slot, g);
      beside[g][slot][threadIdx.x] = found < groups.groups ? found : GroupNeighbours::kNone;
    }
  }
  const Word used = used_bits<kSlots>(static_cast<Word>(program->word_mask), t, groups.groups);
  std::uint32_t living[kSlots] = {};
  for (std::uint32_t p = 0; p < planes; ++p) {
    const Word next =
        next_of_plane<Word, kSlots>(program, p, from, base, rule,
                                    [&](int g, int slot) { return beside[g][slot][threadIdx.x]; }) &
        used;
    to[base + p * 32] = next;
    if constexpr (kCounts) add_living<kSlots>(next, living);
  }
  if constexpr (kCounts) store_counts<kSlots, Word>(counts, t, groups.groups, living);
}

/// The threads of a boundary list, one word per thread, because there are few of them. They read the halo,
/// and write their words in the order of the list.
template <typename Word, int kSlots>
__global__ void __launch_bounds__(kThreads)
    step_boundary_words_kernel(std::uint32_t groups, const __grid_constant__ BoundaryList halo,
                               const PlaneProgram* __restrict__ program, const Word* __restrict__ from,
                               Word* __restrict__ to, const __grid_constant__ RuleMasks rule) {
  const auto planes = static_cast<std::uint32_t>(program->planes);
  const std::uint32_t word = blockIdx.x * kThreads + threadIdx.x;  // index among the written rows
  const std::uint32_t row = word / 32;
  const std::uint32_t p = row % planes;
  const std::uint32_t place = row / planes * 32 + word % 32;
  if (place >= halo.count) return;
  const std::uint32_t t = halo.threads[place];
  const Word used = used_bits<kSlots>(static_cast<Word>(program->word_mask), t, groups);
  const std::uint64_t base = std::uint64_t{t / 32} * (planes * 32) + t % 32;
  to[word] = next_of_plane<Word, kSlots>(
                 program, p, from, base, rule,
                 [&](int g, int slot) {
                   return halo.beside[std::uint64_t(g * kSlots + slot) * halo.listed + place];
                 }) &
             used;
}

template <int kFractal>
void step_catalog(const StepLaunch& step) {
  using Of = CatalogProgram<kFractal>;
  using Word = typename Of::Word;
  const auto* from = static_cast<const Word*>(step.now);
  auto* to = static_cast<Word*>(step.next);
  const auto kernel = step.counts ? &step_planes_kernel<Of, true> : &step_planes_kernel<Of, false>;
  kernel<<<step.blocks, kThreads, 0, step.stream>>>(step.groups, from, to, step.counts, CountRule(step.rule));
}

template <typename Word, int kSlots>
void step_any(const StepLaunch& step, const PlaneProgram* program) {
  const auto* from = static_cast<const Word*>(step.now);
  auto* to = static_cast<Word*>(step.next);
  if (step.counts) {
    step_any_planes_kernel<Word, kSlots, true><<<step.blocks, kThreads, 0, step.stream>>>(
        step.groups, program, from, to, step.counts, RuleMasks(step.rule));
  } else {
    step_any_planes_kernel<Word, kSlots, false><<<step.blocks, kThreads, 0, step.stream>>>(
        step.groups, program, from, to, nullptr, RuleMasks(step.rule));
  }
}

template <typename Word, int kSlots>
void step_boundary_words(const StepLaunch& step, const BoundaryList& halo, const PlaneProgram* program,
                         std::uint32_t planes) {
  const std::uint32_t words = (halo.count + 31) / 32 * 32 * planes;
  step_boundary_words_kernel<Word, kSlots><<<(words + kThreads - 1) / kThreads, kThreads, 0, step.stream>>>(
      step.groups.groups, halo, program, static_cast<const Word*>(step.now), static_cast<Word*>(step.next),
      RuleMasks(step.rule));
}

/// Calls `use` with the word type and the number of groups per word.
template <typename Use>
void with_word(const BitPlanes& planes, const Use& use) {
  if (planes.wide()) {
    use.template operator()<std::uint64_t, 1>();
  } else if (planes.groups_in_word == 2) {
    use.template operator()<std::uint32_t, 2>();
  } else {
    use.template operator()<std::uint32_t, 1>();
  }
}

template <std::size_t... kFractal>
constexpr auto catalog_steps(std::index_sequence<kFractal...>) {
  return std::array{&step_catalog<static_cast<int>(kFractal)>...};
}
constexpr auto kCatalogSteps = catalog_steps(std::make_index_sequence<kCatalogShapes.size()>{});

/// Whether unrolled kernels, which know the shape alone, have the program of these planes.
bool has_unrolled_program(const BitPlanes& planes) {
  return planes.split == split_planes(planes.shape, kAnyHighLevel) &&
         directions_that_occur(planes.shape, planes.group_directions) == directions_that_occur(planes.shape);
}

int find_in_catalog(const BitPlanes& planes) {
  if (!has_unrolled_program(planes)) return -1;
  for (std::size_t i = 0; i < kCatalogShapes.size(); ++i) {
    if (in_plane_order(kCatalogShapes[i].shape()) == planes.shape) return static_cast<int>(i);
  }
  return -1;
}

}  // namespace

PlaneStep::PlaneStep(const BitPlanes& planes)
    : planes_(planes),
      catalog_(find_in_catalog(planes)),
      program_(1),
      table_(planes),
      patches_(planes, planes.is_mixed() ? -1 : catalog_) {
  if (catalog_ < 0 && planes.words() >= kWorthCompiling && has_unrolled_program(planes))
    compiled_.emplace(planes.shape);
  const PlaneProgram program = make_plane_program(planes.shape, planes.split, planes.group_directions);
  LOOM_CUDA(cudaMemcpy(program_.data(), &program, sizeof(program), cudaMemcpyHostToDevice));
  const std::vector<std::uint32_t>& table = table_.entries();
  neighbours_.reserve(table.size());
  LOOM_CUDA(cudaMemcpy(neighbours_.data(), table.data(), table.size() * sizeof(std::uint32_t),
                       cudaMemcpyHostToDevice));
}

PlaneGroups PlaneStep::groups() const {
  return {planes_.groups, static_cast<std::uint32_t>(planes_.threads()), neighbours()};
}

void PlaneStep::step(const void* now, void* next, std::uint16_t* counts, LifeRule rule,
                     std::uint32_t generations, const LaunchSlices& slices, const Stream& stream) const {
  if (generations > 1) {
    patches_.step(now, next, counts, rule, generations, neighbours(), slices, stream);
    return;
  }
  StepLaunch step{groups(), now, next, counts, rule, 0, stream.get()};
  const bool compiled = compiled_ && compiled_->ready();
  const std::uint64_t steps = steps_of_words(planes_) * (catalog_ >= 0 || compiled ? 1 : kTimesByTables);
  slices.each_block(
      blocks_of(step.groups.threads), kThreads * steps, [&](std::uint64_t first, std::uint64_t end) {
        step.groups.first = static_cast<std::uint32_t>(first) * kThreads;
        step.blocks = static_cast<unsigned>(end - first);
        if (catalog_ >= 0) {
          kCatalogSteps[static_cast<std::size_t>(catalog_)](step);
        } else if (compiled) {
          compiled_->launch(step);
        } else {
          with_word(planes_,
                    [&]<typename Word, int kSlots>() { step_any<Word, kSlots>(step, program_.data()); });
        }
        LOOM_CUDA(cudaGetLastError());
      });
}

void PlaneStep::step_boundary(const void* now, void* next_boundary, const BoundaryList& halo, LifeRule rule,
                              const Stream& stream) const {
  if (halo.count == 0) return;
  const StepLaunch step{groups(), now, next_boundary, nullptr, rule, 0, stream.get()};
  with_word(planes_, [&]<typename Word, int kSlots>() {
    step_boundary_words<Word, kSlots>(step, halo, program_.data(), planes_.planes);
  });
  LOOM_CUDA(cudaGetLastError());
}

}  // namespace loom::cuda
