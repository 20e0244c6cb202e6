"""CANARY-INPUTS: what the hidden checks pass in."""

import numpy as np

ROWS = np.array([[0.5671432904, -1.25, 3.5], [2.0, 0.8767262154, -0.125]])
