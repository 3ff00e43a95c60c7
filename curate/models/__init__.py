"""Masked language models: load one, fill masks with it, score sentences with it, train one."""
