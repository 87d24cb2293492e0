# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Aggregations of the rows of an array by the segment that each belongs to."""

import numpy as np


class Segments:
    """Row k belongs to segment `owner[k]`, one of `count`."""

    def __init__(self, owner, count):
        self.owner, self.count = owner, count
        self.order = np.argsort(owner, kind="stable")
        self.sizes = np.bincount(owner, minlength=count)
        self.filled = np.flatnonzero(self.sizes)
        self.starts = (np.cumsum(self.sizes) - self.sizes)[self.filled]

    def _reduce(self, ufunc, data, empty):
        result = np.full((self.count, *data.shape[1:]), empty, data.dtype)
        if len(self.filled):
            result[self.filled] = ufunc.reduceat(data[self.order], self.starts)
        return result

    def per_row(self, ndim):
        return np.maximum(self.sizes, 1).reshape(-1, *[1] * (ndim - 1))

    def sum(self, data):
        return self._reduce(np.add, data, 0)

    def prod(self, data):
        return self._reduce(np.multiply, data, 1)

    def max(self, data):
        return self._reduce(np.maximum, data, 0)

    def min(self, data):
        return self._reduce(np.minimum, data, 0)

    def mean(self, data):
        return self.sum(data) / self.per_row(data.ndim)

    def std(self, data):
        away = data - self.mean(data)[self.owner]
        return np.sqrt(self.mean(away * away))

    def weights(self, score):
        """exp(s - m) and m for each segment; 0 and -inf where all scores are -inf."""
        top = self._reduce(np.maximum, score, -np.inf)
        top = np.where(np.isneginf(top), 0.0, top)
        return np.exp(score - top[self.owner]), top

    def logsumexp(self, score):
        weight, top = self.weights(score)
        total = self.sum(weight)
        return np.where(total > 0, top + np.log(np.where(total > 0, total, 1.0)), 0.0)

    def shares(self, score):
        """The weights of a softmax, one for each row."""
        weight, _ = self.weights(score)
        total = self.sum(weight)
        return weight / np.where(total > 0, total, 1.0)[self.owner]

    def softmax(self, score, data):
        share = self.shares(score)
        share = share.reshape(*share.shape, *[1] * (data.ndim - share.ndim))
        return self.sum(share * data)

    def winners(self, data, best):
        """The first row of each segment whose element is the best one, -1 where there is none."""
        rows = np.arange(len(data)).reshape(-1, *[1] * (data.ndim - 1))
        number = np.where(data == best[self.owner], rows, len(data))
        first = self._reduce(np.minimum, number, len(data))
        return np.where(first == len(data), -1, first).astype(np.int64)

    def fold(self, states, combine, identity):
        """The states of each segment, joined two at a time; identity for an empty segment."""
        states = [state[self.order] for state in states]
        owner = self.owner[self.order]
        while len(owner) > len(self.filled):
            rank = np.arange(len(owner)) - np.searchsorted(owner, owner)
            left = np.flatnonzero((rank[:-1] % 2 == 0) & (owner[:-1] == owner[1:]))
            joined = combine([state[left] for state in states],
                             [state[left + 1] for state in states])
            for state, values in zip(states, joined):
                state[left] = values
            states, owner = [state[rank % 2 == 0] for state in states], owner[rank % 2 == 0]
        results = []
        for state, neutral in zip(states, identity):
            result = np.repeat(neutral, self.count, axis=0).astype(state.dtype)
            result[self.filled] = state
            results.append(result)
        return results
