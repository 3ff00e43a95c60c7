"""Build, check, publish and score multilingual gender minimal pairs."""

__version__ = "0.1.0"
__all__ = ["__version__"]
