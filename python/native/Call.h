//===- Call.h - One call of a layer from Python -----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The road of a call: arguments by position or name, arrays to DLPack, the
// runtime without the interpreter's lock, and results to the caller's library.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_PYTHON_NATIVE_CALL_H
#define CLIQUE_PYTHON_NATIVE_CALL_H

#include "python/native/CallerStream.h"

#include <memory>
#include <optional>

namespace clique::python {

/// The arguments of one call while it is under way.
class Call {
public:
  /// `names`: of the arguments, interned.
  Call(const clique_layer &layer, PyObject *names);
  ~Call();
  Call(const Call &) = delete;
  Call &operator=(const Call &) = delete;

  /// Results are clique.Tensor, whatever the arguments are.
  void returnTensors() { style = findTensorAdapter(); }
  /// The arguments of these numbers, clique.Tensor each, are given away.
  bool give(PyObject *numbers);
  /// All but `out`.
  bool bind(PyObject *args, PyObject *keywords);
  /// What the results are to be copied into, borrowed; nullptr if there is
  /// nothing, and maybe an exception. A layer with an argument of that name
  /// has no such keyword.
  PyObject *findOut(PyObject *keywords) const;
  /// Runs the layer; the results are this object's until they are taken.
  bool invoke();
  PyObject *handOut();
  bool copyTo(PyObject *out);
  /// By a function of the compiler: (status, a deviation for each result).
  PyObject *verify(unsigned long long function, unsigned long long request,
                   unsigned long long messages);

private:
  bool bindKeywords(PyObject *args, PyObject *keywords);
  bool refuseKeyword(Py_ssize_t numPositional, PyObject *keywords);
  bool refuseMissing(int32_t k);
  bool read(int32_t k);
  bool readArray(int32_t k);
  bool explain(const char *what, const char *name);
  Ref makeResult(const Adapter &adapter, int32_t k);
  bool checkTarget(int32_t k, const InputArray &target);
  /// How an array that a result is copied into is read, and the array, but for
  /// layers of GPUs; nullptr with an exception set where it does not fit.
  const Adapter *readTarget(int32_t k, PyObject *target, InputArray &into);
  bool copyResult(int32_t k, PyObject *target, const Adapter &adapter,
                  const InputArray &into);

  const clique_layer &layer;
  PyObject *names;
  bool takesOut = false;           ///< as the name of an argument
  std::vector<PyObject *> objects; ///< borrowed
  std::vector<clique_value> values;
  std::vector<char> isGiven; ///< by argument
  std::unique_ptr<InputArray[]> arrays;
  std::vector<DLManagedTensor *> results;
  /// Whose arrays the results are: those of the first argument that is one,
  /// NumPy's where another library's are beside it the others'.
  const Adapter *style = nullptr;
  std::optional<CallerStream> stream; ///< of a CUDA layer
};

} // namespace clique::python

#endif // CLIQUE_PYTHON_NATIVE_CALL_H
