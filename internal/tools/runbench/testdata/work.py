"""Imports PyTorch and multiplies matrices as often as is asked for; says how long the products took."""
import sys
import time

import torch

torch.set_num_threads(1)  # more wait for each other, which on a busy machine is all that would be measured
a = torch.rand(512, 512)
begin = time.monotonic()
for _ in range(int(sys.argv[1])):
    b = a @ a
print("worked %.3f" % (time.monotonic() - begin))
