const double escape_radius = 6;
Complex next(Complex z, Complex c) {
  Complex w = {1, 2};
  w += sqr(conj(z)) / c;
  for (int i = 0; i < 3; ++i) w = pow(w, 3) * 0.5f - exp(z);
  return abs(w) > 1e3 ? complex(abs(w.re), -w.im) : sin(w) + cos(c);
}
