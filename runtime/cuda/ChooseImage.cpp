//===- ChooseImage.cpp - The image that a device can run ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A cubin of sm_XY runs on devices X.Z with Z >= Y, one of sm_XYa on X.Y only,
// one of sm_XYf on X.Z with Z >= Y. PTX of compute_XY can be compiled for every
// later device, that of compute_XYa only for X.Y.
//
//===----------------------------------------------------------------------===//
#include "runtime/cuda/Code.h"

#include <algorithm>
#include <charconv>
#include <fmt/ranges.h>
#include <optional>
#include <string_view>

using namespace clique;
using namespace clique::cuda;

namespace {
/// "sm_90a", in parts.
struct Architecture {
  bool isText = false; // PTX
  int32_t capability = 0;
  char suffix = 0; // 'a', 'f' or none
};
} // namespace

static std::optional<Architecture> parse(std::string_view text) {
  Architecture result;
  for (const auto &[prefix, isText] :
       {std::pair<std::string_view, bool>{"sm_", false}, {"compute_", true}}) {
    if (text.substr(0, prefix.size()) != prefix)
      continue;
    result.isText = isText;
    const char *end = text.data() + text.size();
    auto [rest, error] =
        std::from_chars(text.data() + prefix.size(), end, result.capability);
    if (error != std::errc() || end - rest > 1)
      return std::nullopt;
    result.suffix = rest == end ? 0 : *rest;
    return result;
  }
  return std::nullopt;
}

/// How well the device runs the image: larger is better, 0 is not at all.
/// A cubin is better than PTX, what was made for this very device better than
/// what was made for its ancestors.
static int32_t rank(const Architecture &arch, int32_t capability) {
  const bool isExact = arch.capability == capability;
  const bool isSameFamily =
      arch.capability / 10 == capability / 10 && arch.capability <= capability;
  bool runs = false;
  if (arch.suffix == 'a')
    runs = isExact;
  else if (arch.suffix == 'f' || !arch.isText)
    runs = isSameFamily;
  else
    runs = arch.capability <= capability;
  if (!runs)
    return 0;
  const int32_t special = arch.suffix == 'a' ? 2 : arch.suffix == 'f' ? 1 : 0;
  return (arch.isText ? 0 : 100000) + arch.capability * 10 + special + 1;
}

static bool isRunnable(const Context &context, const clique_device_image &image,
                       int32_t &score) {
  const std::string_view arch = image.arch;
  score = 0;
  if (context.driver().isEmulated())
    score = arch == "emulated";
  else if (std::optional<Architecture> parsed = parse(arch))
    score = rank(*parsed, context.capability());
  return score > 0;
}

std::vector<const clique_device_image *>
clique::cuda::rankImages(const Context &context,
                         const clique_device_code &code) {
  std::vector<std::pair<int32_t, const clique_device_image *>> runnable;
  std::vector<std::string_view> present;
  int32_t score = 0;
  for (int32_t k = 0; k < code.num_images; ++k) {
    const clique_device_image &image = code.images[k];
    present.push_back(image.arch);
    if (isRunnable(context, image, score))
      runnable.emplace_back(score, &image);
  }
  if (runnable.empty()) {
    const std::string wanted = context.driver().isEmulated()
                                   ? "emulated"
                                   : fmt::format("sm_{}", context.capability());
    fail(CLIQUE_INCOMPATIBLE,
         "the layer has no code for {}, which needs '{}'; it was compiled for "
         "'{}': compile it again for this device",
         context.describe(), wanted, fmt::join(present, "', '"));
  }
  std::sort(runnable.begin(), runnable.end(), [](const auto &a, const auto &b) {
    return a.first != b.first ? a.first > b.first : a.second < b.second;
  });
  std::vector<const clique_device_image *> images;
  for (const auto &[score, image] : runnable)
    images.push_back(image);
  return images;
}
