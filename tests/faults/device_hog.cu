// device_hog MEBIBYTES: allocates device memory until about MEBIBYTES MiB are free, prints how much is free,
// and holds the memory until standard input closes.
#include <cuda_runtime_api.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

int main(int argc, char** argv) {
  const std::size_t left = (argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 64) << 20;
  std::size_t free_bytes = 0;
  std::size_t total_bytes = 0;
  if (cudaMemGetInfo(&free_bytes, &total_bytes) != cudaSuccess) return 3;
  for (std::size_t piece = free_bytes; piece >= std::size_t{1} << 20; piece /= 2) {
    void* memory = nullptr;
    while (cudaMemGetInfo(&free_bytes, &total_bytes) == cudaSuccess && free_bytes > left + piece &&
           cudaMalloc(&memory, piece) == cudaSuccess) {
    }
    cudaGetLastError();
  }
  std::printf("%zu MiB are free\n", free_bytes >> 20);
  std::fflush(stdout);
  while (std::getchar() != EOF) {
  }
  return 0;
}
