"""Make minimal pairs: by the lexicon (LSG) or by a masked language model (MSG), then balance."""
