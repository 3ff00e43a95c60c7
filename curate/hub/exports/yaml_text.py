"""YAML that says exactly what was given, whatever it holds."""

from __future__ import annotations

from typing import Any

__all__ = ["Function", "yaml_text"]


class Function(str):
    """The name of a Python function: ``!function file.name`` in the YAML of the harness."""

    __slots__ = ()


def yaml_text(value: Any) -> str:
    """`value` as YAML, keys in their order; plain scalars that could be misread are quoted."""
    import yaml

    class Dumper(yaml.SafeDumper):  # type: ignore[misc, unused-ignore]
        """Its own class: representers are kept by class."""

    Dumper.add_representer(
        Function, lambda dumper, name: dumper.represent_scalar("!function", str(name))
    )
    text: str = yaml.dump(
        value,
        Dumper=Dumper,
        sort_keys=False,
        allow_unicode=True,
        width=100,
        default_flow_style=False,
    )
    return text
