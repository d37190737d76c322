"""Builds the disk image of a board. README.md says what belongs in this package."""
