//===- Tensor.cpp - Results of layers -------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A DLPack tensor that the runtime made, for any library that takes one.
//
//===----------------------------------------------------------------------===//
#include "python/native/ArrayInterface.h"
#include "python/native/Native.h"

#include <structmember.h>
#include <vector>

using namespace clique::python;

namespace {
struct TensorObject {
  PyObject_HEAD DLManagedTensor *tensor; ///< nullptr after it was handed on
  void *stream;                          ///< in which it is made
  bool isLent;                           ///< arrays of NumPy are its memory
};
} // namespace

static PyObject *tensorType = nullptr;

static TensorObject *asTensor(PyObject *object) {
  return reinterpret_cast<TensorObject *>(object);
}

static void deallocate(PyObject *self) {
  if (DLManagedTensor *tensor = asTensor(self)->tensor)
    tensor->deleter(tensor);
  freeObject(self);
}

Ref clique::python::wrapTensor(DLManagedTensor *tensor, void *stream) {
  auto *type = reinterpret_cast<PyTypeObject *>(tensorType);
  Ref object(PyType_GenericAlloc(type, 0));
  if (!object) {
    tensor->deleter(tensor);
    return object;
  }
  asTensor(object.get())->tensor = tensor;
  asTensor(object.get())->stream = stream;
  return object;
}

const DLTensor *clique::python::tensorOf(PyObject *object) {
  if (!PyObject_TypeCheck(object, reinterpret_cast<PyTypeObject *>(tensorType)))
    return nullptr;
  DLManagedTensor *tensor = asTensor(object)->tensor;
  return tensor ? &tensor->dl_tensor : nullptr;
}

void *clique::python::streamOf(PyObject *object) {
  return asTensor(object)->stream;
}

DLManagedTensor *clique::python::takeTensor(PyObject *object) {
  return std::exchange(asTensor(object)->tensor, nullptr);
}

//===----------------------------------------------------------------------===//
// Protocols
//===----------------------------------------------------------------------===//

static DLManagedTensor *require(PyObject *self) {
  DLManagedTensor *tensor = asTensor(self)->tensor;
  if (!tensor)
    PyErr_SetString(PyExc_BufferError,
                    "this tensor was handed on to another library already");
  return tensor;
}

static void freeCapsule(PyObject *capsule) {
  // A consumer renames the capsule and frees the tensor itself.
  if (!PyCapsule_IsValid(capsule, "dltensor"))
    return;
  auto *tensor =
      static_cast<DLManagedTensor *>(PyCapsule_GetPointer(capsule, "dltensor"));
  tensor->deleter(tensor);
}

/// What the consumer's stream is given from now on comes after the work that
/// makes the tensor. -1: the consumer takes care of it; None: the default
/// stream.
static bool makeReady(PyObject *self, const DLTensor &tensor,
                      PyObject *consumer) {
  if (tensor.device.device_type != kDLCUDA) {
    if (consumer != Py_None)
      PyErr_SetString(PyExc_BufferError, "a tensor of the CPU has no stream");
    return consumer == Py_None;
  }
  const long long number =
      consumer == Py_None ? 1 : PyLong_AsLongLong(consumer);
  if (PyErr_Occurred() || number == -1)
    return !PyErr_Occurred();
  if (number <= 0) {
    PyErr_SetString(PyExc_BufferError,
                    "stream 0 is ambiguous: 1 is the default stream");
    return false;
  }
  void *made = asTensor(self)->stream,
       *taken = reinterpret_cast<void *>(number);
  if (made == taken || (!made && number == 1))
    return true;
  clique_set_cuda_device(tensor.device.device_id);
  const clique_status status = clique_cuda_order_streams(made, taken);
  return status == CLIQUE_OK || raise(status);
}

/// Whether the tensor is asked for as it is: where it is, and no copy of it.
static bool isAsIs(const DLTensor &tensor, PyObject *device, PyObject *copy) {
  int type = 0, number = 0;
  if (device != Py_None && !PyArg_ParseTuple(device, "ii", &type, &number))
    return false;
  const bool isElsewhere =
      device != Py_None && (type != int(tensor.device.device_type) ||
                            number != int(tensor.device.device_id));
  if (!isElsewhere && copy != Py_True)
    return true;
  PyErr_SetString(PyExc_BufferError,
                  "a result of a layer is handed on where it is, without a "
                  "copy");
  return false;
}

static PyObject *toDLPack(PyObject *self, PyObject *args, PyObject *keywords) {
  // An older structure than `max_version` may be returned.
  static const char *const names[] = {"stream", "max_version", "dl_device",
                                      "copy", nullptr};
  PyObject *stream = Py_None, *version = Py_None, *device = Py_None,
           *copy = Py_None;
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "|$OOOO",
                                   const_cast<char **>(names), &stream,
                                   &version, &device, &copy))
    return nullptr;
  DLManagedTensor *managed = require(self);
  if (managed && asTensor(self)->isLent) {
    PyErr_SetString(PyExc_BufferError, "this tensor is an array of NumPy's "
                                       "already; hand that on");
    return nullptr;
  }
  if (!managed || !isAsIs(managed->dl_tensor, device, copy) ||
      !makeReady(self, managed->dl_tensor, stream))
    return nullptr;
  PyObject *capsule =
      PyCapsule_New(asTensor(self)->tensor, "dltensor", freeCapsule);
  if (capsule)
    asTensor(self)->tensor = nullptr;
  return capsule;
}

static PyObject *deviceOf(PyObject *self, PyObject *) {
  DLManagedTensor *tensor = require(self);
  if (!tensor)
    return nullptr;
  const DLDevice device = tensor->dl_tensor.device;
  return Py_BuildValue("(ii)", int(device.device_type), int(device.device_id));
}

namespace {
/// What NumPy reads of a tensor, with the memory that it points to.
struct ExportedArray {
  ArrayInterface interface;
  std::vector<Py_ssize_t> strides;
};
} // namespace

static void freeExported(PyObject *capsule) {
  delete static_cast<ExportedArray *>(PyCapsule_GetPointer(capsule, nullptr));
}

static PyObject *toArrayStruct(PyObject *self, void *) {
  DLManagedTensor *managed = require(self);
  if (!managed)
    return nullptr;
  const DLTensor &tensor = managed->dl_tensor;
  if (tensor.device.device_type != kDLCPU) {
    PyErr_SetString(PyExc_AttributeError, "no memory that NumPy could read");
    return nullptr;
  }
  auto *array = new ExportedArray();
  array->strides.resize(tensor.ndim);
  Py_ssize_t stride = tensor.dtype.bits / 8;
  for (int d = tensor.ndim - 1; d >= 0; --d) {
    array->strides[d] = stride;
    stride *= Py_ssize_t(tensor.shape[d]);
  }
  ArrayInterface &interface = array->interface;
  interface.two = 2;
  interface.nd = tensor.ndim;
  // NumPy has no bfloat16: its bits.
  interface.typekind = tensor.dtype.code == kDLFloat         ? 'f'
                       : tensor.dtype.code == kDLBfloat      ? 'u'
                       : tensor.dtype.code == CLIQUE_DL_BOOL ? 'b'
                                                             : 'i';
  interface.itemsize = tensor.dtype.bits / 8;
  interface.flags =
      kArrayContiguous | kArrayAligned | kArrayNotSwapped | kArrayWriteable;
  static_assert(sizeof(Py_ssize_t) == sizeof(int64_t), "shapes are shared");
  interface.shape = reinterpret_cast<Py_ssize_t *>(tensor.shape);
  interface.strides = array->strides.data();
  interface.data = static_cast<char *>(tensor.data) + tensor.byte_offset;
  PyObject *capsule = PyCapsule_New(array, nullptr, freeExported);
  if (!capsule)
    delete array;
  asTensor(self)->isLent |= capsule != nullptr;
  return capsule;
}

static PyObject *shapeOf(PyObject *self, void *) {
  DLManagedTensor *managed = require(self);
  if (!managed)
    return nullptr;
  const DLTensor &tensor = managed->dl_tensor;
  Ref shape(PyTuple_New(tensor.ndim));
  for (int d = 0; shape && d < tensor.ndim; ++d)
    if (PyTuple_SetItem(shape.get(), d, PyLong_FromLongLong(tensor.shape[d])))
      return nullptr;
  return shape.release();
}

std::string clique::python::typeName(DLDataType type) {
  if (type.code == CLIQUE_DL_BOOL)
    return "i1";
  const char *code = type.code == kDLInt       ? "i"
                     : type.code == kDLUInt    ? "u"
                     : type.code == kDLComplex ? "c"
                     : type.code == kDLBfloat  ? "bf"
                                               : "f";
  return code + std::to_string(type.bits);
}

static PyObject *typeOf(PyObject *self, void *) {
  DLManagedTensor *managed = require(self);
  return managed
             ? PyUnicode_FromString(typeName(managed->dl_tensor.dtype).c_str())
             : nullptr;
}

bool clique::python::addTensorType(PyObject *module) {
  static PyMethodDef methods[] = {
      {"__dlpack__",
       reinterpret_cast<PyCFunction>(reinterpret_cast<void *>(toDLPack)),
       METH_VARARGS | METH_KEYWORDS,
       "The tensor, for DLPack; once. stream: in which it is to be ready."},
      {"__dlpack_device__", deviceOf, METH_NOARGS,
       "DLPack's device type, and the device's number."},
      {nullptr, nullptr, 0, nullptr}};
  static PyGetSetDef properties[] = {
      {"__array_struct__", toArrayStruct, nullptr,
       "The memory, as NumPy reads it.", nullptr},
      {"shape", shapeOf, nullptr, "The sizes.", nullptr},
      {"dtype", typeOf, nullptr, "f32, bf16, i64 ...", nullptr},
      {nullptr, nullptr, nullptr, nullptr, nullptr}};
  static PyType_Slot slots[] = {
      {Py_tp_doc, const_cast<char *>(
                      "A result of a layer. NumPy, PyTorch and others make an "
                      "array of it without a copy.")},
      {Py_tp_dealloc, reinterpret_cast<void *>(deallocate)},
      {Py_tp_methods, methods},
      {Py_tp_getset, properties},
      {0, nullptr}};
  static PyType_Spec spec = {"clique.Tensor", sizeof(TensorObject), 0,
                             Py_TPFLAGS_DEFAULT, slots};
  tensorType = PyType_FromSpec(&spec);
  return tensorType && PyModule_AddObjectRef(module, "Tensor", tensorType) == 0;
}
