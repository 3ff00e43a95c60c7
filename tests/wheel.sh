#!/bin/sh
# Build the wheel, install it alone in an empty environment, and run it away from the checkout.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$root/.venv/bin/python" -m build --quiet --wheel --outdir "$work/dist" "$root"
"${PYTHON:-python3.11}" -m venv "$work/venv"
"$work/venv/bin/python" -m pip install --quiet --disable-pip-version-check \
    -c "$root/constraints.txt" "$(ls "$work"/dist/*.whl)[zh,ja,th]"
cd "$work"
"$work/venv/bin/curate" languages
"$work/venv/bin/curate" swap --lang es "El rey está cansado."
"$work/venv/bin/curate" demo --lang es --out "$work/demo" # without torch: LSG only, and it says so
test -f "$work/demo/release/README.md"
"$work/venv/bin/python" -c "
from curate.resources import annotation_folder, hub_cards_folder
from curate.models.sources import find_model
assert (annotation_folder() / 'reviewers.en.md').is_file()
assert (annotation_folder() / 'lexicon.xml').is_file()
assert (hub_cards_folder() / 'card.md.j2').is_file()
assert (find_model('mini').path / 'model.safetensors').is_file()
"
