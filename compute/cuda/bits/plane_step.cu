#include <array>

#include "compute/cuda/bits/plane_step.cuh"
#include "compute/cuda/bits/plane_step.h"
#include "compute/cuda/launch.cuh"
#include "compute/geometry/catalog_shapes.h"

namespace loom::cuda {
namespace {

constexpr unsigned kThreads = kPlaneThreads;

/// The program of a fractal of the catalogue at levels from a + b on.
constexpr int kAnyHighLevel = 40;
template <int kFractal>
struct CatalogProgram {
  static constexpr NbbShape kShape = kCatalogShapes[kFractal].shape();
  static constexpr PlaneProgram kProgram = make_plane_program(kShape, split_planes(kShape, kAnyHighLevel));
  using Word = std::conditional_t<kProgram.split.slot_bits == 64, std::uint64_t, std::uint32_t>;
};

/// One thread a word of each plane, all in registers, with a program known when compiling.
template <typename Of, bool kCounts>
__global__ void __launch_bounds__(kThreads)
    step_planes_kernel(const __grid_constant__ PlaneGroups groups, const typename Of::Word* __restrict__ from,
                       typename Of::Word* __restrict__ to, std::uint16_t* __restrict__ counts,
                       const __grid_constant__ RuleMasks rule) {
  using Word = typename Of::Word;
  constexpr int kPlanes = Of::kProgram.planes;
  constexpr int kSlots = Of::kProgram.groups_in_word;
  const std::uint32_t t = blockIdx.x * kThreads + threadIdx.x;
  if (t >= groups.threads) return;
  const std::uint64_t base = std::uint64_t{t / 32} * (kPlanes * 32) + t % 32;
  Word own[kPlanes];
  unroll<kPlanes>([&](auto p) { own[p] = __ldg(from + base + p * 32); });

  std::uint32_t beside[kDirections][kSlots];
#pragma unroll
  for (int slot = 0; slot < kSlots; ++slot) {
    const GroupNeighbours::Digits digits = groups.neighbours.digits_of(t * kSlots + slot);
    unroll<kDirections>([&](auto g) {
      if constexpr (Of::kProgram.rim_directions >> decltype(g)::value & 1u)
        beside[g][slot] = groups.neighbours.beside(digits, g);
    });
  }
  constexpr int kRimWords = Of::kProgram.rim_word_count;
  Word rim[kRimWords > 0 ? kRimWords : 1];
  unroll<kRimWords>([&](auto i) {
    constexpr PlaneProgram::RimWord kRim = Of::kProgram.rim_words[decltype(i)::value];
    rim[i] = rim_word<kSlots>(from, kPlanes, kRim.plane, beside[kRim.direction]);
  });
  constexpr int kRelations = Of::kProgram.relation_count;
  Word related[kRelations > 0 ? kRelations : 1];
  unroll<kRelations>([&](auto i) {
    constexpr int kAt = decltype(i)::value;
    constexpr int kDirection = Of::kProgram.relations[kAt].direction;
    Word word = 0;
    const auto add = [&](Word source, auto first, auto count) {
      unroll<decltype(count)::value>([&](auto s) {
        constexpr MaskedShift kShift = Of::kProgram.shifts[decltype(first)::value + decltype(s)::value];
        word |= shifted(source, kShift.shift) & static_cast<Word>(kShift.mask);
      });
    };
    constexpr ShiftRange kInner = Of::kProgram.inner[kDirection];
    add(own[Of::kProgram.relations[kAt].plane], std::integral_constant<int, kInner.first>{},
        std::integral_constant<int, kInner.last - kInner.first>{});
    unroll<kDirections>([&](auto g) {
      constexpr int kRim = Of::kProgram.relations[kAt].rim_word[decltype(g)::value];
      if constexpr (kRim != PlaneProgram::kNoSource) {
        constexpr ShiftRange kRange = Of::kProgram.rim[kDirection][decltype(g)::value];
        add(rim[kRim], std::integral_constant<int, kRange.first>{},
            std::integral_constant<int, kRange.last - kRange.first>{});
      }
    });
    related[i] = word;
  });

  const Word used = used_bits<kSlots>(static_cast<Word>(Of::kProgram.word_mask), t, groups.groups);
  std::uint32_t living[kSlots] = {};
  unroll<kPlanes>([&](auto p) {
    Word in[8];
    unroll<8>([&](auto i) {
      constexpr int kPlane = decltype(p)::value;
      constexpr int kIndex = decltype(i)::value;
      if constexpr (kIndex < Of::kProgram.source_count[kPlane]) {
        constexpr int kSource = Of::kProgram.sources[kPlane][kIndex];
        if constexpr (kSource < kPlanes) {
          in[i] = own[kSource];
        } else {
          in[i] = related[kSource - kPlanes];
        }
      } else {
        in[i] = 0;
      }
    });
    const Word next = next_of(rule, own[p], in) & used;
    to[base + p * 32] = next;
    if constexpr (kCounts) add_living<kSlots>(next, living);
  });
  if constexpr (kCounts) store_counts<kSlots, Word>(counts, t, groups.groups, living);
}

/// The same with a program in memory: words are read where they lie, from the cache.
template <typename Word, int kSlots, bool kCounts>
__global__ void __launch_bounds__(kThreads)
    step_any_planes_kernel(const __grid_constant__ PlaneGroups groups,
                           const PlaneProgram* __restrict__ program, const Word* __restrict__ from,
                           Word* __restrict__ to, std::uint16_t* __restrict__ counts,
                           const __grid_constant__ RuleMasks rule) {
  const std::uint32_t t = blockIdx.x * kThreads + threadIdx.x;
  if (t >= groups.threads) return;
  const auto planes = static_cast<std::uint32_t>(program->planes);
  const std::uint64_t base = std::uint64_t{t / 32} * (planes * 32) + t % 32;
  __shared__ std::uint32_t beside[kDirections][kSlots][kThreads];
  for (int g = 0; g < kDirections; ++g) {
    if (!(program->rim_directions >> g & 1u)) continue;
    for (int slot = 0; slot < kSlots; ++slot)
      beside[g][slot][threadIdx.x] = groups.neighbours.beside(t * kSlots + slot, g);
  }
  const Word used = used_bits<kSlots>(static_cast<Word>(program->word_mask), t, groups.groups);
  std::uint32_t living[kSlots] = {};
  for (std::uint32_t p = 0; p < planes; ++p) {
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
        if (relation.rim_word[g] == PlaneProgram::kNoSource) continue;
        std::uint32_t mine[kSlots];
        for (int slot = 0; slot < kSlots; ++slot) mine[slot] = beside[g][slot][threadIdx.x];
        add(rim_word<kSlots>(from, planes, relation.plane, mine), program->rim[relation.direction][g]);
      }
      in[i] = word;
    }
    const Word next = next_of(rule, __ldg(from + base + p * 32), in) & used;
    to[base + p * 32] = next;
    if constexpr (kCounts) add_living<kSlots>(next, living);
  }
  if constexpr (kCounts) store_counts<kSlots, Word>(counts, t, groups.groups, living);
}

struct StepArguments {
  PlaneGroups groups;
  const void* now;
  void* next;
  std::uint16_t* counts;
  RuleMasks rule;
  cudaStream_t stream;
  unsigned blocks() const { return (groups.threads + kThreads - 1) / kThreads; }
};

template <int kFractal>
void step_catalog(const StepArguments& step) {
  using Of = CatalogProgram<kFractal>;
  using Word = typename Of::Word;
  const auto* from = static_cast<const Word*>(step.now);
  auto* to = static_cast<Word*>(step.next);
  if (step.counts) {
    step_planes_kernel<Of, true>
        <<<step.blocks(), kThreads, 0, step.stream>>>(step.groups, from, to, step.counts, step.rule);
  } else {
    step_planes_kernel<Of, false>
        <<<step.blocks(), kThreads, 0, step.stream>>>(step.groups, from, to, nullptr, step.rule);
  }
}

template <typename Word, int kSlots>
void step_any(const StepArguments& step, const PlaneProgram* program) {
  const auto* from = static_cast<const Word*>(step.now);
  auto* to = static_cast<Word*>(step.next);
  if (step.counts) {
    step_any_planes_kernel<Word, kSlots, true>
        <<<step.blocks(), kThreads, 0, step.stream>>>(step.groups, program, from, to, step.counts, step.rule);
  } else {
    step_any_planes_kernel<Word, kSlots, false>
        <<<step.blocks(), kThreads, 0, step.stream>>>(step.groups, program, from, to, nullptr, step.rule);
  }
}

template <std::size_t... kFractal>
constexpr auto catalog_steps(std::index_sequence<kFractal...>) {
  return std::array{&step_catalog<static_cast<int>(kFractal)>...};
}
constexpr auto kCatalogSteps = catalog_steps(std::make_index_sequence<kCatalogShapes.size()>{});

int find_in_catalog(const BitPlanes& planes) {
  for (std::size_t i = 0; i < kCatalogShapes.size(); ++i) {
    const NbbShape shape = kCatalogShapes[i].shape();
    if (shape == planes.shape && split_planes(shape, kAnyHighLevel) == planes.split)
      return static_cast<int>(i);
  }
  return -1;
}

}  // namespace

PlaneStep::PlaneStep(const BitPlanes& planes)
    : planes_(planes), catalog_(find_in_catalog(planes)), program_(1) {
  const PlaneProgram program = make_plane_program(planes.shape, planes.split);
  LOOM_CUDA(cudaMemcpy(program_.data(), &program, sizeof(program), cudaMemcpyHostToDevice));
  const std::vector<std::uint32_t> table = GroupNeighbours::make_table(planes);
  neighbours_.reserve(table.size());
  LOOM_CUDA(cudaMemcpy(neighbours_.data(), table.data(), table.size() * sizeof(std::uint32_t),
                       cudaMemcpyHostToDevice));
}

GroupNeighbours PlaneStep::neighbours() const {
  return {planes_, GroupNeighbours::base_of(planes_), neighbours_.data()};
}

void PlaneStep::step(const void* now, void* next, std::uint16_t* counts, LifeRule rule,
                     const Stream& stream) const {
  const StepArguments step{{planes_.groups, static_cast<std::uint32_t>(planes_.threads()), neighbours()},
                           now,
                           next,
                           counts,
                           RuleMasks(rule),
                           stream.get()};
  if (catalog_ >= 0) {
    kCatalogSteps[static_cast<std::size_t>(catalog_)](step);
  } else if (planes_.wide()) {
    step_any<std::uint64_t, 1>(step, program_.data());
  } else if (planes_.groups_in_word == 2) {
    step_any<std::uint32_t, 2>(step, program_.data());
  } else {
    step_any<std::uint32_t, 1>(step, program_.data());
  }
  LOOM_CUDA(cudaGetLastError());
}

}  // namespace loom::cuda
