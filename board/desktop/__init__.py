"""The head unit on a desktop: see README.md."""
