"""Files: what reads and writes them, whole or as streams."""
