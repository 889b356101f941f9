"""Benchmarks that a user can run on data of their own."""
