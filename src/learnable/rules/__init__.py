"""Rules: lists of conditions and answers, written by a person or taken from a tree."""

from learnable.rules.flat import Rules
from learnable.rules.from_trees import same_answers_together
from learnable.rules.rule_list import RuleListClassifier
from learnable.rules.writing import rules_of_tree

__all__ = ["RuleListClassifier", "Rules", "rules_of_tree", "same_answers_together"]
