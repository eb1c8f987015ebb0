"""Reports: what a study found, as a page, as text, as numbers, with the model and its card."""

from learnable.report.studying import study
from learnable.report.writing import write_report

__all__ = ["study", "write_report"]
