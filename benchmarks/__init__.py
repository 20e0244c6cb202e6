"""What grading costs, against what others take for the same files, and how to measure it again.

    python -m benchmarks [--quick] [PART...]        writes benchmarks/results.md

Every ratio is the median of ratios that were measured in turn, one notebook at a time, on one core: what else the
machine does meanwhile hits both sides alike.
"""
