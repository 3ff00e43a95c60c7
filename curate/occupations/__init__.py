"""Sentences about a man or a woman, told of he, she and people of fifty occupations."""

from __future__ import annotations

from curate.occupations.build import Built, build_table
from curate.occupations.folder import OccupationTable, read_table, write_table

__all__ = ["Built", "OccupationTable", "build_table", "read_table", "write_table"]
