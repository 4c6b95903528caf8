__host__ Launch launch(Fractal f) {
  return grid1d(f.height, f.width);
}

__device__ Cell cell_of_thread(Fractal f) {
  int x = threadIdx.x;
  int y = blockIdx.x;
  return is_cell(x, y) ? cell(x, y) : none();
}
