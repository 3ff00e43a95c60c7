"""Label Studio: a server of one's own on this machine, and the way to reach any other."""
