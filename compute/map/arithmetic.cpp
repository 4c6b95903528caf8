#include "compute/map/arithmetic.h"

#include "compute/core/named_choice.h"

namespace loom {

std::string_view name_of(MapArithmetic arithmetic) {
  switch (arithmetic) {
    case MapArithmetic::kLoop:
      return "loop";
    case MapArithmetic::kShuffle:
      return "shuffle";
    case MapArithmetic::kTable:
      return "table";
    case MapArithmetic::kTensor1:
      return "tensor-1";
    case MapArithmetic::kTensor2:
      return "tensor-2";
    case MapArithmetic::kTensor3:
      return "tensor-3";
    case MapArithmetic::kTensor:
      return "tensor";
    case MapArithmetic::kTensorFp16:
      return "tensor-fp16";
  }
  return "unknown";
}

MapArithmetic parse_arithmetic(std::string_view name) {
  return parse_choice("arithmetic", name, kMapArithmetics);
}

std::string_view name_of(IntraBlock intra_block) {
  switch (intra_block) {
    case IntraBlock::kSubBox:
      return "sub-box";
    case IntraBlock::kUnrolled:
      return "unrolled";
    case IntraBlock::kLookup:
      return "lookup";
  }
  return "unknown";
}

IntraBlock parse_intra_block(std::string_view name) {
  return parse_choice("intra-block mapping", name, kIntraBlocks);
}

}  // namespace loom
