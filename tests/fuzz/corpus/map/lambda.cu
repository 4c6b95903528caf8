__host__ Launch launch(Fractal f) {
  return grid1d((f.cells + 127) / 128, 128);
}

__device__ Cell cell_of_thread(Fractal f) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= f.cells) return none();
  int x = 0;
  int y = 0;
  int side_x = 1;
  int side_y = 1;
  for (int level = 0; level < f.level; ++level) {
    int digit = i % f.k;
    x += offset_x(digit) * side_x;
    y += offset_y(digit) * side_y;
    i /= f.k;
    side_x *= f.s_x;
    side_y *= f.s_y;
  }
  return cell(x, y);
}
