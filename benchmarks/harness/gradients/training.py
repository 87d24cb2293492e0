# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""One step of a training: forward, then the cotangents of features and weights from that of the
result. Libraries lay out weights in their own ways; what is compared is the cotangent of the
features, element by element, and the length of that of each weight."""

import numpy as np

from ..cases import Runner


def summary(features, weights):
    """One array to compare; cotangents of weights are sums over nodes, and scaled as such."""
    lengths = sorted(float(np.linalg.norm(weight.astype(np.float64))) for weight in weights)
    scale = 1 / np.sqrt(max(1, len(features)))
    return np.concatenate([np.ravel(features), scale * np.array(lengths, np.float32)])


def clique_runner(bound):
    """bound: the gradient on its arguments, of features first."""
    def result():
        features, *weights = bound.run_and_copy()
        return summary(features, weights)
    return Runner(bound.run, result)


def torch_runner(function, features, parameters, cotangent):
    """function: of the features. `parameters`: tensors whose cotangents are asked for."""
    import torch
    features = features.detach().requires_grad_()
    for parameter in parameters:
        parameter.requires_grad_()

    def call():
        with torch.enable_grad():
            out = function(features)
            return torch.autograd.grad(out, [features, *parameters], cotangent.reshape(out.shape),
                                       allow_unused=True)

    def result():
        own, *weights = (made.detach().numpy() for made in call() if made is not None)
        return summary(own, weights)
    return Runner(call, result)
