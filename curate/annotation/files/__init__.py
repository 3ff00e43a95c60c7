"""Tasks in files for people without a server: XLIFF 2, CSV and XLSX, out and in."""

from curate.annotation.files.exchange import read_answers, write_tasks

__all__ = ["read_answers", "write_tasks"]
