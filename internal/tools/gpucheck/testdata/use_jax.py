"""Computes with JAX on the GPU for some seconds."""
import os
import time

os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")

import jax
import jax.numpy as jnp

device = jax.devices("cuda")[0]
x = jax.device_put(jnp.ones((512, 512)), device)
product = jax.jit(jnp.matmul)
end = time.monotonic() + 3
while time.monotonic() < end:
    assert float(product(x, x)[3, 5]) == 512
print("jax", jax.__version__, "on", device)
