"""Missing cells filled by what the known ones say."""

from learnable.impute.simple import SimpleImputer

__all__ = ["SimpleImputer"]
