"""Compiled inner loops: arrays, numbers and lowered records in and out; no classes, no checks."""
