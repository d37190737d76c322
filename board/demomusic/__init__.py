"""The demo collection: see README.md."""
