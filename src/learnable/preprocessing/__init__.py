"""Columns and rows on a common scale, and names as numbers: what learners can work on."""

from learnable.preprocessing.basis import BasisFunctions
from learnable.preprocessing.clipping import Clipper
from learnable.preprocessing.discretizer import Discretizer
from learnable.preprocessing.min_max import MinMaxScaler
from learnable.preprocessing.normalizer import Normalizer
from learnable.preprocessing.one_hot import OneHotEncoder
from learnable.preprocessing.ordinal import OrdinalEncoder
from learnable.preprocessing.polynomial import PolynomialFeatures
from learnable.preprocessing.robust import RobustScaler
from learnable.preprocessing.spline import SplineTransformer
from learnable.preprocessing.standard import StandardScaler

__all__ = [
    "BasisFunctions",
    "Clipper",
    "Discretizer",
    "MinMaxScaler",
    "Normalizer",
    "OneHotEncoder",
    "OrdinalEncoder",
    "PolynomialFeatures",
    "RobustScaler",
    "SplineTransformer",
    "StandardScaler",
]
