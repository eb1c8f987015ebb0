"""Theorems as functions: what can be promised, and under which assumptions."""
