"""``python -m tests.hub_server --folder STATE --port 0``: prints the port and serves."""

from __future__ import annotations

import argparse
from pathlib import Path

from tests.hub_server.accounts import Accounts
from tests.hub_server.request import Hub
from tests.hub_server.server import HubServer
from tests.hub_server.store import Store


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.hub_server", description=__doc__)
    parser.add_argument("--folder", type=Path, required=True, help="where the state is kept")
    parser.add_argument("--port", type=int, default=0, help="0: a free one")
    parser.add_argument("--page", type=int, default=1000, help="entries on one page of a listing")
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    hub = Hub(Store(given.folder), Accounts(given.folder), given.page)
    server = HubServer(hub, given.port)
    print(server.server_address[1], flush=True)
    server.serve_forever(0.05)


if __name__ == "__main__":
    main()
