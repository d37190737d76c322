"""Starts the image of a board in QEMU: see README.md."""
