"""Which function answers which address."""

from __future__ import annotations

import re
from collections.abc import Callable
from urllib.parse import unquote

from tests.hub_server import api_files, api_refs, api_repos, commit, large_files, resolve
from tests.hub_server.answers import Answer, Refused
from tests.hub_server.request import Hub, Request

__all__ = ["dispatch"]

Function = Callable[..., Answer]

# {x} is one part of the path, {repo} two, {x*} all that is left; a revision's slashes are quoted
_TABLE: list[tuple[str, str, Function]] = [
    ("GET", "/api/whoami-v2", api_repos.whoami),
    ("POST", "/api/validate-yaml", api_repos.validate),
    ("POST", "/api/repos/create", api_repos.create),
    ("DELETE", "/api/repos/delete", api_repos.delete),
    ("GET", "/api/{kind}", api_repos.listing),
    ("GET", "/api/{kind}/{repo}", api_repos.info),
    ("GET", "/api/{kind}/{repo}/revision/{rev}", api_repos.info),
    ("PUT", "/api/{kind}/{repo}/settings", api_repos.settings),
    ("POST", "/api/{kind}/{repo}/user-access-request/grant", api_repos.grant),
    ("GET", "/api/{kind}/{repo}/auth-check", api_repos.auth_check),
    ("GET", "/api/{kind}/{repo}/auth-check/write", api_repos.auth_check_write),
    ("GET", "/api/{kind}/{repo}/refs", api_refs.refs),
    ("POST", "/api/{kind}/{repo}/tag/{rev}", api_refs.add_tag),
    ("DELETE", "/api/{kind}/{repo}/tag/{rev}", api_refs.remove_tag),
    ("POST", "/api/{kind}/{repo}/branch/{rev}", api_refs.add_branch),
    ("DELETE", "/api/{kind}/{repo}/branch/{rev}", api_refs.remove_branch),
    ("GET", "/api/{kind}/{repo}/commits/{rev}", api_refs.commits),
    ("GET", "/api/{kind}/{repo}/tree/{rev}", api_files.tree),
    ("GET", "/api/{kind}/{repo}/tree/{rev}/{path*}", api_files.tree),
    ("POST", "/api/{kind}/{repo}/paths-info/{rev}", api_files.paths_info),
    ("POST", "/api/{kind}/{repo}/preupload/{rev}", api_files.preupload),
    ("POST", "/api/{kind}/{repo}/commit/{rev}", commit.commit),
    ("POST", "/{repo}.git/info/lfs/objects/batch", large_files.batch_models),
    ("POST", "/datasets/{repo}.git/info/lfs/objects/batch", large_files.batch_datasets),
    ("PUT", "/__lfs/{oid}", large_files.upload),
    ("POST", "/__lfs/{oid}/verify", large_files.verify),
    ("GET", "/__cdn/{oid}/{name}", resolve.delivery),
    ("GET", "/datasets/{repo}/resolve/{rev}/{path*}", resolve.dataset_file),
    ("GET", "/{repo}/resolve/{rev}/{path*}", resolve.model_file),
]


def _pattern(address: str) -> re.Pattern[str]:
    text = re.escape(address).replace(r"\{", "{").replace(r"\}", "}").replace(r"\*", "*")
    text = re.sub(r"\{(\w+)\*\}", r"(?P<\1>.+)", text)
    text = text.replace("{repo}", "(?P<repo>[^/]+/[^/]+?)")
    return re.compile(re.sub(r"\{(\w+)\}", r"(?P<\1>[^/]+?)", text))


_ROUTES = [(method, _pattern(address), function) for method, address, function in _TABLE]


def dispatch(hub: Hub, request: Request) -> Answer:
    """The answer of the first route that fits; HEAD is a GET whose body is not sent."""
    method = "GET" if request.method == "HEAD" else request.method
    known = False
    for of, pattern, function in _ROUTES:
        found = pattern.fullmatch(request.path)
        if found is None:
            continue
        known = True
        if of == method:
            values = {name: unquote(value) for name, value in found.groupdict().items()}
            return function(hub, request, **values)
    if known:
        raise Refused(405, "Method not allowed")
    raise Refused(404, f"Sorry, we can't find the page you are looking for: {request.path}")
