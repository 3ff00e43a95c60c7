"""A dataset repository on the Hugging Face Hub as the target of a release."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any, TypeVar

from curate.errors import MissingExtraError, RemoteError, UsageError
from curate.hub.publish.hub_reload import reload_revision
from curate.hub.publish.target import FileFact, StaleParentError, Standing
from curate.hub.publish.visibility import Visibility
from curate.hub.versions import version_of_tag
from curate.sources.hub_calls import Calls, short_reason, status_of

__all__ = ["HubTarget"]

_TYPE = "dataset"
_OF_THE_HUB = frozenset({".gitattributes"})
"""Files that the Hub itself puts into every repository."""
_BRANCH = re.compile(r"(?!refs/)\w[\w-]*(?:[./][\w-]+)*")
"""Names of branches that are safe in an address, and no reference of another kind."""
_T = TypeVar("_T")


class HubTarget:
    """One dataset repository, ``NS/NAME``, and one of its branches.

    The token comes from HF_TOKEN or the Hub's own login, and is kept nowhere here.
    """

    def __init__(
        self, repository: str, *, branch: str = "main", visibility: Visibility | None = None,
        on_wait: Callable[[float, str], None] = lambda seconds, reason: None,
    ) -> None:  # fmt: skip
        try:
            from huggingface_hub import HfApi
            from huggingface_hub.errors import HFValidationError
            from huggingface_hub.utils import validate_repo_id  # type: ignore[attr-defined]
        except ModuleNotFoundError as error:
            raise MissingExtraError("huggingface_hub", "hub") from error
        if find_spec("datasets") is None:  # told before anything is sent: it reads the commit back
            raise MissingExtraError("datasets", "hub")
        try:
            validate_repo_id(repository)
        except HFValidationError:
            repository_fits = False
        else:
            repository_fits = repository.count("/") == 1
        if not repository_fits:
            raise UsageError(f"{repository!r} is no repository", hint="--repo NAMESPACE/NAME")
        if not _BRANCH.fullmatch(branch) or version_of_tag(branch) is not None:
            hint = "letters and digits, with - _ . / between; not the name of a version"
            raise UsageError(f"{branch!r} is no name for a branch", hint=hint)
        self._id, self._branch = repository, branch
        self._visibility = visibility or Visibility()
        self._api = HfApi(library_name="curate")
        self._call = Calls(repository, on_wait=on_wait)
        self._info: Any = None
        self._known = False

    def _ask(self, what: str, function: Callable[..., _T], *args: Any, **options: Any) -> _T:
        """A call none of whose failures means anything more: each becomes an error of ours."""
        try:
            return self._call(what, function, *args, **options)
        except Exception as error:
            if not status_of(error):
                raise
            raise self._failed(what, error) from error

    def _failed(self, what: str, error: Exception) -> RemoteError:
        return RemoteError(f"could not {what}: {short_reason(error)}", where=self._id)

    @property
    def name(self) -> str:
        return self._id

    @property
    def repository(self) -> str | None:
        return self._id

    def standing(self) -> Standing:
        self._may_write()
        self._info = self._found("dataset")
        if self._info is None:
            if self._found("model") is not None:
                raise UsageError(
                    "a model repository has this name: a dataset would be taken for it",
                    where=self._id, hint="choose another name",
                )  # fmt: skip
            return Standing(exists=False)
        refs = self._ask(
            "list branches and tags", self._api.list_repo_refs, self._id, repo_type=_TYPE
        )
        heads = {branch.name: branch.target_commit for branch in refs.branches}
        tags = {
            version: tag.target_commit
            for tag in refs.tags
            if (version := version_of_tag(tag.name)) is not None
        }
        return Standing(exists=True, head=heads.get(self._branch, heads.get("main")), tags=tags)

    def _may_write(self) -> None:
        """Whether there is a token, and its owner may write in the namespace; asked once."""
        if self._known:
            return
        who = self._ask("sign in", self._api.whoami)
        namespace = self._id.partition("/")[0]
        mine = {who.get("name"), *(org.get("name") for org in who.get("orgs") or [])}
        if namespace not in mine:
            raise UsageError(
                f"you ({who.get('name')}) may not publish under {namespace!r}", where=self._id,
                hint="name yourself or an organisation you belong to",
            )  # fmt: skip
        role = ((who.get("auth") or {}).get("accessToken") or {}).get("role")
        if role == "read":
            raise UsageError(
                "your token may only read", where=self._id,
                hint="make a token that may write, and log in with it: `hf auth login`",
            )  # fmt: skip
        self._known = True

    def _found(self, kind: str) -> Any | None:
        from huggingface_hub.errors import RepositoryNotFoundError

        try:
            return self._call(
                "look at the repository", self._api.repo_info, self._id, repo_type=kind
            )
        except RepositoryNotFoundError:
            return None

    def files(self, revision: str) -> dict[str, FileFact]:
        from huggingface_hub.hf_api import RepoFile

        listed = self._ask(
            "list the files", lambda: list(self._api.list_repo_tree(
                self._id, recursive=True, revision=revision, repo_type=_TYPE
            ))
        )  # fmt: skip
        return {
            item.path: _fact(item)
            for item in listed
            if isinstance(item, RepoFile) and item.path not in _OF_THE_HUB
        }

    def fetch(self, revision: str, names: Iterable[str], into: Path) -> None:
        for name in names:
            self._ask(
                f"fetch {name}", self._api.hf_hub_download, self._id, name,
                repo_type=_TYPE, revision=revision, local_dir=into,
            )  # fmt: skip

    def prepare(self) -> str | None:
        if self._info is None:
            self._ask(
                "create the repository", self._api.create_repo, self._id, repo_type=_TYPE,
                private=bool(self._visibility.private), exist_ok=True,
            )  # fmt: skip
        head = self.standing().head
        self._settings(self._visibility.closing(self._info))
        if self._branch != "main":
            self._ask(
                f"make the branch {self._branch}", self._api.create_branch, self._id,
                branch=self._branch, repo_type=_TYPE, exist_ok=True,
            )  # fmt: skip
        return head

    def commit(
        self, staged: Path, names: Iterable[str], *, parent: str | None, gone: Iterable[str],
        message: str,
    ) -> str:  # fmt: skip
        wanted, away = sorted(names), sorted(gone)
        try:
            info = self._call(
                "upload the release", self._commit, staged, wanted, away, parent, message
            )
        except Exception as error:
            if status_of(error) in {409, 412}:
                raise StaleParentError(str(error)) from error
            if not status_of(error):
                raise
            raise self._failed("upload the release", error) from error
        return str(info.oid)

    def _commit(
        self, staged: Path, names: list[str], gone: list[str], parent: str | None, message: str
    ) -> Any:
        from huggingface_hub import (
            CommitOperationAdd,
            CommitOperationCopy,
            CommitOperationDelete,
        )

        # made anew for every try: the client marks operations as it uploads them
        operations: list[CommitOperationAdd | CommitOperationCopy | CommitOperationDelete] = [
            *(CommitOperationAdd(name, str(staged / name)) for name in names),
            *(CommitOperationDelete(name, is_folder=False) for name in gone),
        ]
        return self._api.create_commit(
            self._id, operations, commit_message=message, repo_type=_TYPE,
            revision=self._branch, parent_commit=parent,
        )  # fmt: skip

    def reload(self, revision: str, manifest: Mapping[str, Any]) -> None:
        reload_revision(self._ask, self._api, self._id, revision, manifest)

    def tag(self, version: str, revision: str) -> None:
        what = f"tag v{version}"
        try:
            self._call(
                what, self._api.create_tag, self._id, tag=f"v{version}", revision=revision,
                repo_type=_TYPE,
            )  # fmt: skip
        except Exception as error:
            if not status_of(error):
                raise
            if status_of(error) != 409:
                raise self._failed(what, error) from error
            if self.standing().tags.get(version) != revision:
                raise UsageError(
                    f"the tag v{version} is there already, and on another commit", where=self._id,
                    hint="a tag is never moved: publish under the next version",
                ) from None  # fmt: skip

    def settle(self) -> None:
        """Set what opens the repository, and what closes one that had nothing else to do."""
        closing = self._visibility.closing(self._info)
        self._settings({**closing, **self._visibility.opening(self._info)})

    def _settings(self, settings: dict[str, Any]) -> None:
        if settings:
            self._ask(
                "change the settings", self._api.update_repo_settings, self._id,
                repo_type=_TYPE, **settings,
            )  # fmt: skip
            self._info = self._found("dataset")


def _fact(item: Any) -> FileFact:
    """Large files have a SHA-256, the others git's hash."""
    if item.lfs:
        return FileFact(item.size, sha256=item.lfs.sha256)
    return FileFact(item.size, blob=item.blob_id)
