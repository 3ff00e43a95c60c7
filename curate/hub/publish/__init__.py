"""Publish a release to the Hub or to a folder."""

from curate.hub.publish.folder_target import FolderTarget
from curate.hub.publish.hub_target import HubTarget, Visibility
from curate.hub.publish.publishing import Published, publish

__all__ = ["FolderTarget", "HubTarget", "Published", "Visibility", "publish"]
