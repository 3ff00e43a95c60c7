"""Train the small masked language model that the package embeds (``curate model pretrain``)."""
