//===- CallerStream.h - Where a CUDA layer is put ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The device, the stream and the memory of a call: those of the library whose
// arrays come first. A library that tells no stream of its own is asked to have
// its arrays ready in the one of clique.set_cuda_stream.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_PYTHON_NATIVE_CALLERSTREAM_H
#define CLIQUE_PYTHON_NATIVE_CALLERSTREAM_H

#include "python/native/Arrays.h"

#include <vector>

namespace clique::python {

class CallerStream {
public:
  CallerStream();

  /// The stream, for arrays that are not yet read.
  void *get() const { return stream; }
  /// After an array was read; false with an exception set.
  bool follow(const Adapter &adapter, PyObject *array, const DLTensor &tensor);
  /// Before the library reads a result; false with an exception set.
  bool lead(const Adapter &adapter);
  /// After the layer was invoked: what the streams that were waited for are
  /// given from now on, such as other uses of the arrays' memory, waits for
  /// it. False: the runtime says why.
  bool release();

private:
  bool ask(const Adapter &adapter, DLDevice device, void *&own);
  void choose(const Adapter &adapter, int32_t number, void *own);

  void *stream;
  int32_t device = 0;
  bool isChosen = false;
  /// In which other arrays are made.
  std::vector<void *> others;
};

/// clique.set_cuda_stream: that of this thread.
PyObject *setCudaStream(PyObject *module, PyObject *stream);

} // namespace clique::python

#endif // CLIQUE_PYTHON_NATIVE_CALLERSTREAM_H
