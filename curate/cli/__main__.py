"""`python -m curate.cli`."""

from curate.cli.main import run

if __name__ == "__main__":
    run()
