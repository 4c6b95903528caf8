const double escape_radius = 3;
Vector half(Vector v) {
  return v / 2;
}
Vector next(Vector v, Vector c) {
  Vector of[2] = {half(v), vector(1, sqrt(v.x), acos(v.y))};
  for (int i = 0; i < 2; ++i) v += of[i] * dot(v, c) - atan2(v.y, v.x);
  return abs(v) > 1 ? -v : v * c;
}
