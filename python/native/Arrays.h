//===- Arrays.h - Arrays of other libraries ---------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Between the arrays that a program has (NumPy, PyTorch, JAX ...) and DLPack's
// tensors, without a copy.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_PYTHON_NATIVE_ARRAYS_H
#define CLIQUE_PYTHON_NATIVE_ARRAYS_H

#include "python/native/Exchange.h"
#include "python/native/Native.h"

#include <vector>

namespace clique::python {

/// How arrays of one type are read and made.
struct Adapter {
  enum Kind {
    number,      ///< Python's int, float, bool; NumPy's scalars
    arrayStruct, ///< `__array_struct__`: NumPy
    exchange,    ///< DLPack's table of C functions
    capsule,     ///< `__dlpack__`, or what `exporter` does
    native,      ///< clique.Tensor
    none         ///< no array
  };

  PyTypeObject *type = nullptr;
  Kind kind = none;
  const ExchangeFunctions *functions = nullptr;
  Ref exporter; ///< a capsule of an array; none: its method `__dlpack__`
  Ref importer; ///< an array of a Tensor object
  Ref compact;  ///< a row-major copy of an array
  Ref stream;   ///< the current stream of a CUDA device, by its number
  /// A module whose `_current_level` is 0 or more while derivatives are taken
  /// in forward mode; none: arrays of this type have no gradients.
  Ref forwardMode;
};

/// The adapter of an object's type; nullptr with an exception set.
const Adapter *findAdapter(PyObject *object);
/// The adapter of NumPy's arrays.
const Adapter *findNumPyAdapter();
/// That of no library: results are clique.Tensor.
const Adapter *findTensorAdapter();

class CallerStream;

/// An argument of a layer.
class InputArray {
public:
  InputArray() = default;
  InputArray(InputArray &&) = delete;
  ~InputArray();

  /// Reads an array, or a number for a scalar of `dtype`; false with an
  /// exception set. `mayCopy`: the elements of an array that is not row-major
  /// are copied; where it is not, the elements of an array that has strides
  /// are not to be read. `stream`: that of a CUDA layer, in which the array is
  /// ready.
  bool read(const Adapter &adapter, PyObject *array, DLDataType dtype,
            bool mayCopy = true, const CallerStream *stream = nullptr);
  const DLTensor *get() const { return &tensor; }
  bool isWriteable() const { return writeable; }

private:
  bool readNumber(PyObject *number, DLDataType dtype);
  bool readArrayStruct(PyObject *array);
  Ref makeCapsule(const Adapter &adapter, PyObject *array);
  bool readCapsule(const Adapter &adapter, PyObject *array);
  bool readExchange(const Adapter &adapter, PyObject *array);
  bool readAny(const Adapter &adapter, PyObject *array);
  bool makeCompact(const Adapter &adapter, PyObject *array);

  DLTensor tensor = {};
  Ref owner;
  const CallerStream *stream = nullptr;
  std::vector<int64_t> elementStrides;
  double number[2] = {};
  bool writeable = true;
  /// Whether all strides are multiples of an element: those of a field of
  /// NumPy's packed records are not.
  bool isElementwise = true;
};

/// An array of the adapter's library; takes over `tensor`, which the work in
/// `stream` makes.
Ref makeArray(const Adapter &adapter, DLManagedTensor *tensor, void *stream);

/// Keeps the functions of Python that adapters come from:
/// adapt(type) -> (kind, exporter, importer, compact, stream, forward mode).
bool addArrayFunctions(PyObject *module);

} // namespace clique::python

#endif // CLIQUE_PYTHON_NATIVE_ARRAYS_H
