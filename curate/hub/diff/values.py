"""Whether the values of two Arrow columns differ, row by row and exactly."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

__all__ = ["differing"]

Mask = npt.NDArray[np.bool_]


def differing(old: pa.Array, new: pa.Array) -> Mask:
    """True where the two arrays (of one type and length) hold another value.

    A null is like a null and unlike anything else; not-a-number is like itself. Lists and structs
    are compared by what they hold.
    """
    if isinstance(old, pa.ChunkedArray | pa.DictionaryArray) or isinstance(
        new, pa.ChunkedArray | pa.DictionaryArray
    ):
        return differing(_plain(old), _plain(new))
    if pa.types.is_null(old.type):
        return np.zeros(len(old), dtype=bool)
    missing: Mask = np.not_equal(_flags(pc.is_null(old)), _flags(pc.is_null(new)))
    if pa.types.is_struct(old.type):
        for own, others in zip(old.flatten(), new.flatten(), strict=True):
            missing |= differing(own, others)
        return missing
    if pa.types.is_list(old.type) or pa.types.is_large_list(old.type):
        return np.logical_or(missing, _lists(old, new))
    if pa.types.is_nested(old.type):  # maps, fixed-size lists: not in our tables
        both = zip(old.to_pylist(), new.to_pylist(), strict=True)
        unlike: Mask = np.array([a != b for a, b in both], dtype=bool)
        return np.logical_or(missing, unlike)
    unequal: Mask = _flags(pc.fill_null(pc.not_equal(old, new), False))
    if pa.types.is_floating(old.type):
        nowhere = pc.and_(pc.is_nan(old), pc.is_nan(new))
        unequal &= ~_flags(pc.fill_null(nowhere, False))
    return np.logical_or(missing, unequal)


def _lists(old: pa.Array, new: pa.Array) -> Mask:
    lengths, others = (_lengths(array) for array in (old, new))
    unequal: Mask = np.not_equal(lengths, others)
    alike = pa.array(~unequal)
    items = differing(old.filter(alike).flatten(), new.filter(alike).flatten())
    row_of_item = np.repeat(np.flatnonzero(~unequal), lengths[~unequal])
    unequal[row_of_item[items]] = True
    return unequal


def _lengths(array: pa.Array) -> npt.NDArray[np.int64]:
    lengths = pc.fill_null(pc.list_value_length(array), 0)
    return np.asarray(lengths.to_numpy(zero_copy_only=False), dtype=np.int64)


def _flags(values: pa.Array) -> Mask:
    return np.array(values.to_numpy(zero_copy_only=False), dtype=bool)


def _plain(array: pa.Array | pa.ChunkedArray) -> pa.Array:
    """One array, its dictionary written out."""
    if isinstance(array, pa.ChunkedArray):
        array = array.combine_chunks()
    if isinstance(array, pa.ChunkedArray):  # none or several chunks are left
        array = pa.concat_arrays(array.chunks) if array.chunks else pa.array([], array.type)
    return array.dictionary_decode() if isinstance(array, pa.DictionaryArray) else array
