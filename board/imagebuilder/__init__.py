"""Builds the disk image of a board."""
