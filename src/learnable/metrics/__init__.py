"""Measures of how good answers are, with their intervals."""
