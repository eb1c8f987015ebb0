"""Comparisons of learners: which differences are real, how large, and how sure that is."""

from learnable.evaluation.choosing import compare
from learnable.evaluation.comparison import Comparison
from learnable.evaluation.comparisons import Comparisons, holm_adjusted
from learnable.evaluation.counted import mcnemar, sign_test
from learnable.evaluation.curve_plots import (
    plot_curve,
    plot_learning_curve,
    plot_reliability,
    plot_threshold,
    plot_validation_curve,
)
from learnable.evaluation.decomposition import Decomposition, bias_variance, decompose
from learnable.evaluation.diagnosis import Diagnosis, Overfitting, diagnose, overfits
from learnable.evaluation.diagram import critical_difference_diagram
from learnable.evaluation.estimation import EstimationBias, estimation_bias
from learnable.evaluation.five_by_two import five_by_two_f, five_by_two_t
from learnable.evaluation.gibbs import hierarchical
from learnable.evaluation.mean_ranks import friedman
from learnable.evaluation.planning import power, sample_size
from learnable.evaluation.plots import forest_plot, matrix_of_tests, plot_confusion
from learnable.evaluation.post_hoc import bonferroni_dunn, holm, nemenyi
from learnable.evaluation.posteriors import bayesian_signed_rank, correlated_t
from learnable.evaluation.signed_ranks import wilcoxon
from learnable.evaluation.t_tests import corrected_resampled_t, one_sample_t, paired_t, welch_t

__all__ = [
    "Comparison",
    "Comparisons",
    "Decomposition",
    "Diagnosis",
    "EstimationBias",
    "Overfitting",
    "bayesian_signed_rank",
    "bias_variance",
    "bonferroni_dunn",
    "compare",
    "corrected_resampled_t",
    "correlated_t",
    "critical_difference_diagram",
    "decompose",
    "diagnose",
    "estimation_bias",
    "five_by_two_f",
    "five_by_two_t",
    "forest_plot",
    "friedman",
    "hierarchical",
    "holm",
    "holm_adjusted",
    "matrix_of_tests",
    "mcnemar",
    "nemenyi",
    "one_sample_t",
    "overfits",
    "paired_t",
    "plot_confusion",
    "plot_curve",
    "plot_learning_curve",
    "plot_reliability",
    "plot_threshold",
    "plot_validation_curve",
    "power",
    "sample_size",
    "sign_test",
    "welch_t",
    "wilcoxon",
]
