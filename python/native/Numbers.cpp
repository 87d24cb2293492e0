//===- Numbers.cpp - Numbers of Python for scalars of a layer -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A number, Python's or a scalar of NumPy, is converted to the scalar's type;
// arrays of rank 0 are of that type already.
//
//===----------------------------------------------------------------------===//
#include "python/native/Arrays.h"

#include <algorithm>
#include <cmath>
#include <cstring>

using namespace clique::python;

template <typename T>
static void store(double *to, T value) {
  std::memcpy(to, &value, sizeof(value));
}

/// The bits of the nearest float of 16 bits, `digits` of which are its
/// mantissa: 10 for f16, 7 for bf16.
static uint16_t encodeHalf(double value, int digits) {
  const int bias = (1 << (14 - digits)) - 1;
  const uint16_t sign = std::signbit(value) ? 0x8000 : 0;
  const int infinity = (2 * bias + 1) << digits;
  if (std::isnan(value))
    return uint16_t(sign | infinity | 1 << (digits - 1));
  int exponent = 0;
  std::frexp(value, &exponent); // a fraction from 1/2 on times 2^exponent
  if (value == 0)
    return sign;
  if (std::isinf(value) || exponent > bias + 1)
    return uint16_t(sign | infinity);
  // Subnormal numbers are multiples of the same unit as the least normal ones.
  const int least = std::max(exponent - 1, 1 - bias);
  const double mantissa =
      std::nearbyint(std::ldexp(std::fabs(value), digits - least));
  // A mantissa that is rounded up to the next power of two carries.
  const int bits = ((least + bias - 1) << digits) + int(mantissa);
  return uint16_t(sign | bits);
}

/// Of 8, 16, 32 or 64 bits; false where it does not fit.
static bool storeInteger(double *to, long long value, int bits) {
  if (bits == 64)
    store(to, int64_t(value));
  else if (bits == 32)
    store(to, int32_t(value));
  else if (bits == 16)
    store(to, int16_t(value));
  else
    store(to, int8_t(value));
  const long long half = 1LL << (bits - 1);
  return bits == 64 || (value >= -half && value < half);
}

static void storeFloat(double *to, double value, DLDataType dtype) {
  if (dtype.bits == 64)
    store(to, value);
  else if (dtype.bits == 32)
    store(to, float(value));
  else
    store(to, encodeHalf(value, dtype.code == kDLBfloat ? 7 : 10));
}

bool InputArray::readNumber(PyObject *object, DLDataType dtype) {
  if (dtype.code == CLIQUE_DL_BOOL) {
    store(number, uint8_t(PyObject_IsTrue(object) == 1));
  } else if (dtype.code == kDLFloat || dtype.code == kDLBfloat) {
    storeFloat(number, PyFloat_AsDouble(object), dtype);
  } else {
    const long long value = PyLong_AsLongLong(object);
    if (!PyErr_Occurred() && !storeInteger(number, value, dtype.bits))
      PyErr_Format(PyExc_OverflowError, "%lld does not fit %d bits", value,
                   int(dtype.bits));
  }
  tensor.data = number;
  tensor.device = {kDLCPU, 0};
  tensor.dtype = dtype;
  return !PyErr_Occurred();
}
