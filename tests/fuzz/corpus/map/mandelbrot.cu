Complex next(Complex z, Complex c) {
  return sqr(z) + c;
}
