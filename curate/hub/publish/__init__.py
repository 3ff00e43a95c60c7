"""Publish a release to the Hub or to a folder."""

from curate.hub.publish.folder_target import FolderTarget
from curate.hub.publish.hub_target import HubTarget
from curate.hub.publish.publishing import Published, publish
from curate.hub.publish.visibility import Visibility

__all__ = ["FolderTarget", "HubTarget", "Published", "Visibility", "publish"]
