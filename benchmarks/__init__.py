"""Each method beside its rivals: the same work, the same run, interleaved."""
