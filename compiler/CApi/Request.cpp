//===- Request.cpp - A request to the compiler's C ABI --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/CApi/Request.h"
#include "llvm/ADT/StringExtras.h"

#include <cstdlib>
#include <cstring>

using namespace llvm;
using namespace clique;

static StringRef orDefault(const char *text, StringRef fallback) {
  return text ? StringRef(text) : fallback;
}

clique_buffer clique::copyToBuffer(StringRef contents) {
  auto *data = static_cast<char *>(std::malloc(contents.size() + 1));
  if (!data)
    return {nullptr, 0};
  std::memcpy(data, contents.data(), contents.size());
  data[contents.size()] = '\0';
  return {data, contents.size()};
}

void clique_buffer_free(clique_buffer *buffer) {
  if (!buffer)
    return;
  std::free(buffer->data);
  *buffer = {nullptr, 0};
}

Request::Request(const clique_compile_request &request, clique_buffer *messages)
    : request(request), buffer(messages),
      name(orDefault(request.name, "<spec>")) {}

Request::~Request() {
  spec.reset();
  if (buffer)
    *buffer = copyToBuffer(text);
}

clique_status Request::fail(const Twine &reason) {
  messages << name << ": error: " << reason << "\n";
  return getFailure();
}

clique_status Request::fail(Error error) {
  return fail(toString(std::move(error)));
}

static std::vector<std::string> splitNames(const char *text) {
  std::vector<std::string> names;
  for (StringRef name : split(orDefault(text, ""), ','))
    if (!name.trim().empty())
      names.push_back(name.trim().str());
  return names;
}

Spec *Request::readSpec() {
  if (!request.text) {
    fail("no text was given");
    return nullptr;
  }
  std::vector<std::string> entries = splitNames(request.entry);
  std::vector<std::string> gradients = splitNames(request.gradients);
  std::vector<std::string> heads = splitNames(request.prune_heads);
  Spec::Options options;
  options.entries = entries;
  options.prunedHeads = heads;
  if (request.derivative < 0) {
    fail("derivative " + Twine(request.derivative) + ": expected 0, 1 or more");
    return nullptr;
  }
  options.derivative = request.derivative;
  if (options.derivative > 0)
    options.gradients = ArrayRef(gradients);
  options.remarks = request.remarks != 0;
  options.messages = &messages;
  spec = Spec::fromText(llvm::MemoryBuffer::getMemBufferCopy(
                            StringRef(request.text, request.size), name),
                        name, options);
  return spec.get();
}

bool Request::readTarget() {
  StringRef wanted = orDefault(request.target, "cpu");
  if (wanted == "cuda")
    target = TargetDevice::cuda;
  else if (wanted != "cpu")
    fail("target '" + wanted + "': expected cpu or cuda");
  return wanted == "cuda" || wanted == "cpu";
}

std::optional<LayerCompiler::Options> Request::readOptions() {
  LayerCompiler::Options options;
  if (!readTarget())
    return std::nullopt;
  options.target = target;
  auto cpus = selectTargetCpus(orDefault(request.cpu, "native"),
                               orDefault(request.features, ""));
  if (!cpus) {
    fail(cpus.takeError());
    return std::nullopt;
  }
  options.cpus = std::move(*cpus);
  StringRef products = orDefault(request.f32_products, "exact");
  std::optional<F32Products> f32Products = parseF32Products(products);
  if (!f32Products) {
    fail("f32_products '" + products + "': expected exact or tf32");
    return std::nullopt;
  }
  options.f32Products = *f32Products;
  if (target == TargetDevice::cuda) {
    auto gpus = selectTargetGpus(orDefault(request.gpu_arch, "multi"));
    if (!gpus) {
      fail(gpus.takeError());
      return std::nullopt;
    }
    options.gpus = std::move(*gpus);
  }
  return options;
}
