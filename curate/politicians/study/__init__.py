"""The statistics of a study of words beside names (Stanczak et al. 2023)."""
