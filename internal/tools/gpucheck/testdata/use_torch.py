"""Computes with PyTorch on the GPU, or where the argument is cpu on the CPU, for some seconds."""
import sys
import time

import torch

device = "cpu" if sys.argv[1:] == ["cpu"] else "cuda"
x = torch.arange(1 << 20, dtype=torch.float32, device=device).reshape(1024, 1024)
identity = torch.eye(1024, device=device)
picture = torch.ones(1, 3, 32, 32, device=device)
weights = torch.ones(4, 3, 3, 3, device=device)
end = time.monotonic() + 3
while time.monotonic() < end:
    assert torch.equal(x @ identity, x) or device == "cuda"  # TF32 may round
    y = torch.nn.functional.conv2d(picture, weights)
    assert y.sum().item() == 27 * 4 * 30 * 30
print("torch", torch.__version__, "on", x.device)
