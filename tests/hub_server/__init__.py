"""A server that speaks the Hugging Face Hub's protocol, for tests: ``python -m tests.hub_server``.

It keeps data set and model repositories in a folder: commits, branches, tags, and files of any size
with the upload protocol of large files (one part, no multipart, no Xet). Every commit is one
rename, so that a server killed at any time comes back with the old state or the new one. It knows
users, organisations and tokens with rights, private and gated repositories, and it fails on demand
(`tests.hub_server.faults`). It listens on this machine only.

Where it differs from the Hub: a repository always has a namespace, there are no pull requests and
no discussions, and a token's rights are ``read``, ``write`` or ``none`` for everything.
"""

from __future__ import annotations
