//===- Arrays.cpp - Arrays of other libraries -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a type is like is asked of Python once, and kept.
//
//===----------------------------------------------------------------------===//
#include "python/native/Arrays.h"
#include "python/native/ArrayInterface.h"
#include "python/native/CallerStream.h"

#include <algorithm>
#include <cstring>
#include <deque>

using namespace clique::python;

//===----------------------------------------------------------------------===//
// Adapters
//===----------------------------------------------------------------------===//

static PyObject *adaptFunction = nullptr;
/// Few types ever come; their addresses stay. Never destroyed: the interpreter
/// is gone before static objects are.
static std::deque<Adapter> &adapters() {
  static auto *instance = new std::deque<Adapter>();
  return *instance;
}

static PyObject *setAdaptFunction(PyObject *, PyObject *function) {
  Py_INCREF(function);
  Py_XDECREF(adaptFunction);
  adaptFunction = function;
  Py_RETURN_NONE;
}

bool clique::python::addArrayFunctions(PyObject *module) {
  static PyMethodDef functions[] = {
      {"set_adapt", setAdaptFunction, METH_O,
       "Names the function that says how arrays of a type are read."},
      {nullptr, nullptr, 0, nullptr}};
  return PyModule_AddFunctions(module, functions) == 0;
}

/// The table of C functions that a type lends; nullptr if there is none.
static const ExchangeFunctions *findFunctions(PyTypeObject *type) {
  Ref capsule(PyObject_GetAttrString(reinterpret_cast<PyObject *>(type),
                                     "__dlpack_c_exchange_api__"));
  constexpr const char *name = "dlpack_exchange_api";
  if (!capsule || !PyCapsule_IsValid(capsule.get(), name)) {
    PyErr_Clear();
    return nullptr;
  }
  auto *header =
      static_cast<ExchangeHeader *>(PyCapsule_GetPointer(capsule.get(), name));
  while (header && header->version.major != 1)
    header = header->previous;
  auto *functions = reinterpret_cast<const ExchangeFunctions *>(header);
  return functions && functions->lend ? functions : nullptr;
}

static Ref orNothing(PyObject *object) {
  return object == Py_None ? Ref() : Ref::borrowed(object);
}

static bool describe(PyTypeObject *type, Adapter &adapter) {
  if (!adaptFunction) {
    PyErr_SetString(PyExc_RuntimeError,
                    "import clique, not its module _native");
    return false;
  }
  Ref answer(PyObject_CallFunctionObjArgs(
      adaptFunction, reinterpret_cast<PyObject *>(type), nullptr));
  int kind = 0;
  PyObject *exporter = nullptr, *importer = nullptr, *compact = nullptr,
           *stream = nullptr, *forwardMode = nullptr;
  if (!answer || !PyArg_ParseTuple(answer.get(), "iOOOOO", &kind, &exporter,
                                   &importer, &compact, &stream, &forwardMode))
    return false;
  adapter.kind = Adapter::Kind(kind);
  adapter.exporter = orNothing(exporter);
  adapter.importer = orNothing(importer);
  adapter.compact = orNothing(compact);
  adapter.stream = orNothing(stream);
  adapter.forwardMode = orNothing(forwardMode);
  if (adapter.kind == Adapter::capsule)
    adapter.functions = findFunctions(type);
  if (adapter.functions)
    adapter.kind = Adapter::exchange;
  adapter.type = type;
  Py_INCREF(type);
  return true;
}

static const Adapter *findAdapterOf(PyTypeObject *type) {
  for (const Adapter &adapter : adapters())
    if (adapter.type == type)
      return &adapter;
  Adapter adapter;
  if (!describe(type, adapter))
    return nullptr;
  adapters().push_back(std::move(adapter));
  return &adapters().back();
}

const Adapter *clique::python::findAdapter(PyObject *object) {
  return findAdapterOf(Py_TYPE(object));
}

const Adapter *clique::python::findNumPyAdapter() {
  Ref numpy(PyImport_ImportModule("numpy"));
  Ref type(numpy ? PyObject_GetAttrString(numpy.get(), "ndarray") : nullptr);
  if (type)
    return findAdapterOf(reinterpret_cast<PyTypeObject *>(type.get()));
  // Without NumPy results are tensors that other libraries take.
  PyErr_Clear();
  return findTensorAdapter();
}

const Adapter *clique::python::findTensorAdapter() {
  static const Adapter nothing;
  return &nothing;
}

//===----------------------------------------------------------------------===//
// Inputs
//===----------------------------------------------------------------------===//

InputArray::~InputArray() = default;

static bool setType(PyObject *array, const ArrayInterface &interface,
                    DLDataType &dtype) {
  dtype = {0, uint8_t(interface.itemsize * 8), 1};
  switch (interface.typekind) {
  case 'f':
    dtype.code = kDLFloat;
    return true;
  case 'i':
    dtype.code = kDLInt;
    return true;
  case 'u':
    dtype.code = kDLUInt;
    return true;
  case 'b':
    dtype.code = CLIQUE_DL_BOOL;
    return true;
  case 'c':
    dtype.code = kDLComplex;
    return true;
  default:
    break;
  }
  // NumPy has no bfloat16 of its own.
  Ref type(PyObject_GetAttrString(array, "dtype"));
  Ref name(type ? PyObject_GetAttrString(type.get(), "name") : nullptr);
  if (name && PyUnicode_CompareWithASCIIString(name.get(), "bfloat16") == 0) {
    dtype.code = kDLBfloat;
    return true;
  }
  if (name)
    PyErr_Format(PyExc_TypeError, "an array of '%U', expected numbers",
                 name.get());
  return false;
}

bool InputArray::readArrayStruct(PyObject *array) {
  owner = Ref(PyObject_GetAttrString(array, "__array_struct__"));
  auto *interface = owner ? static_cast<ArrayInterface *>(
                                PyCapsule_GetPointer(owner.get(), nullptr))
                          : nullptr;
  if (!interface || !setType(array, *interface, tensor.dtype))
    return false;
  if (!(interface->flags & kArrayNotSwapped)) {
    PyErr_SetString(PyExc_TypeError, "an array whose bytes are swapped; "
                                     "convert it with astype first");
    return false;
  }
  tensor.data = interface->data;
  tensor.device = {kDLCPU, 0};
  tensor.ndim = interface->nd;
  tensor.shape = reinterpret_cast<int64_t *>(interface->shape);
  tensor.byte_offset = 0;
  tensor.strides = nullptr;
  isElementwise = true;
  writeable = interface->flags & kArrayWriteable;
  if (interface->flags & kArrayContiguous)
    return true;
  const Py_ssize_t itemsize = std::max(interface->itemsize, 1);
  for (int d = 0; d < interface->nd; ++d) {
    elementStrides.push_back(interface->strides[d] / itemsize);
    isElementwise &=
        interface->shape[d] <= 1 || interface->strides[d] % itemsize == 0;
  }
  tensor.strides = elementStrides.data();
  return true;
}

/// Whether `__dlpack__` is to be told a stream.
static bool isOnCuda(PyObject *array) {
  Ref device(PyObject_CallMethod(array, "__dlpack_device__", nullptr));
  int type = 0, number = 0;
  return device && PyArg_ParseTuple(device.get(), "ii", &type, &number) &&
         type == kDLCUDA;
}

Ref InputArray::makeCapsule(const Adapter &adapter, PyObject *array) {
  if (adapter.exporter)
    return Ref(
        PyObject_CallFunctionObjArgs(adapter.exporter.get(), array, nullptr));
  if (!stream || !isOnCuda(array))
    return Ref(PyErr_Occurred()
                   ? nullptr
                   : PyObject_CallMethod(array, "__dlpack__", nullptr));
  // DLPack's number of the default stream is 1, as it is the driver's.
  const auto number = reinterpret_cast<uintptr_t>(stream->get());
  Ref method(PyObject_GetAttrString(array, "__dlpack__"));
  Ref none(PyTuple_New(0));
  Ref keywords(Py_BuildValue("{s:K}", "stream",
                             (unsigned long long)(number ? number : 1)));
  return Ref(method && none && keywords
                 ? PyObject_Call(method.get(), none.get(), keywords.get())
                 : nullptr);
}

bool InputArray::readCapsule(const Adapter &adapter, PyObject *array) {
  owner = makeCapsule(adapter, array);
  if (!owner)
    return false;
  // The name stays: the capsule frees the tensor when this is done with it.
  auto *managed = static_cast<DLManagedTensor *>(
      PyCapsule_GetPointer(owner.get(), "dltensor"));
  if (managed)
    tensor = managed->dl_tensor;
  return managed;
}

/// Whether derivatives of what is computed of an array are asked for.
static bool isDifferentiated(const Adapter &adapter, PyObject *array) {
  static PyObject *levelName = PyUnicode_InternFromString("_current_level");
  static PyObject *gradName = PyUnicode_InternFromString("requires_grad");
  Ref level(PyObject_GetAttr(adapter.forwardMode.get(), levelName));
  if (!level)
    PyErr_Clear();
  else if (PyLong_AsLong(level.get()) >= 0)
    return true;
  Ref answer(PyObject_GetAttr(array, gradName));
  if (PyErr_Occurred())
    PyErr_Clear();
  return answer && PyObject_IsTrue(answer.get()) == 1;
}

bool InputArray::readExchange(const Adapter &adapter, PyObject *array) {
  // The exporter refuses, or takes the gradients away.
  if (adapter.forwardMode && isDifferentiated(adapter, array))
    return readCapsule(adapter, array);
  if (adapter.functions->lend(array, &tensor) == 0)
    return true;
  if (!adapter.exporter)
    return false;
  // The exporter says what is wrong with this array.
  PyErr_Clear();
  return readCapsule(adapter, array);
}

static bool isCompact(const DLTensor &tensor) {
  if (!tensor.strides)
    return true;
  int64_t expected = 1;
  for (int d = tensor.ndim - 1; d >= 0; --d) {
    if (tensor.shape[d] == 0)
      return true;
    if (tensor.shape[d] != 1 && tensor.strides[d] != expected)
      return false;
    expected *= tensor.shape[d];
  }
  return true;
}

bool InputArray::readAny(const Adapter &adapter, PyObject *array) {
  elementStrides.clear();
  switch (adapter.kind) {
  case Adapter::arrayStruct:
    return readArrayStruct(array);
  case Adapter::exchange:
    return readExchange(adapter, array);
  default:
    return readCapsule(adapter, array);
  }
}

/// Layers read row-major arrays; others are copied, as NumPy's functions do.
bool InputArray::makeCompact(const Adapter &adapter, PyObject *array) {
  Ref copy(PyObject_CallFunctionObjArgs(adapter.compact.get(), array, nullptr));
  owner = Ref();
  if (!copy || !readAny(adapter, copy.get()))
    return false;
  // The table of C functions lends memory of an array that must stay.
  if (!owner)
    owner = std::move(copy);
  return true;
}

static bool refuseType(PyTypeObject *type) {
  Ref name(
      PyObject_GetAttrString(reinterpret_cast<PyObject *>(type), "__name__"));
  if (name)
    PyErr_Format(PyExc_TypeError, "expected an array, not a '%U'", name.get());
  return false;
}

bool InputArray::read(const Adapter &adapter, PyObject *array, DLDataType dtype,
                      bool mayCopy, const CallerStream *callerStream) {
  stream = callerStream;
  if (adapter.kind == Adapter::number)
    return readNumber(array, dtype);
  if (adapter.kind == Adapter::none)
    return refuseType(adapter.type);
  if (adapter.kind == Adapter::native) {
    const DLTensor *other = tensorOf(array);
    if (other)
      tensor = *other;
    else
      PyErr_SetString(PyExc_BufferError, "this tensor was handed on to another "
                                         "library already");
    return other;
  }
  if (!readAny(adapter, array))
    return false;
  return (isElementwise && isCompact(tensor)) || !mayCopy || !adapter.compact ||
         makeCompact(adapter, array);
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

static void freeVersioned(VersionedTensor *self) {
  auto *inner = static_cast<DLManagedTensor *>(self->context);
  inner->deleter(inner);
  delete self;
}

static Ref importVersioned(const ExchangeFunctions &functions,
                           DLManagedTensor *tensor) {
  auto *versioned =
      new VersionedTensor{{1, 0}, tensor, freeVersioned, 0, tensor->dl_tensor};
  void *object = nullptr;
  if (functions.import(versioned, &object) != 0)
    return Ref();
  return Ref(static_cast<PyObject *>(object));
}

Ref clique::python::makeArray(const Adapter &adapter, DLManagedTensor *tensor,
                              void *stream) {
  if (adapter.kind == Adapter::exchange)
    return importVersioned(*adapter.functions, tensor);
  Ref wrapped = wrapTensor(tensor, stream);
  if (!wrapped || !adapter.importer)
    return wrapped;
  return Ref(PyObject_CallFunctionObjArgs(adapter.importer.get(), wrapped.get(),
                                          nullptr));
}
