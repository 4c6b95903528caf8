__host__ Launch launch(Fractal f) {
  return grid2d((f.width + 15) / 16, (f.height + 15) / 16, 16, 16);
}
__device__ Cell cell_of_thread(Fractal f) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  return is_cell(x, y) ? cell(x, y) : none();
}
