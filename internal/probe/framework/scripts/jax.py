os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")  # it takes three quarters of a GPU's memory otherwise
os.environ["JAX_ENABLE_COMPILATION_CACHE"] = "false"

with step("import", "jax") as s:
    import jax
    s.values.update(version=jax.__version__, path=jax.__file__)
    import jax.numpy as jnp
    import jaxlib
    s.values["jaxlib"] = jaxlib.__version__

with step("build", "jaxlib") as s:
    plugins = [d + " " + version(d) for n in ("12", "13") for d in ("jax-cuda%s-plugin" % n, "jax-cuda%s-pjrt" % n) if version(d)]
    cuda = bool(plugins) or "+cuda" in version("jaxlib")
    s.values["plugins"] = ", ".join(plugins)


def compute(device):
    def t(values, *shape):
        return jax.device_put(jnp.asarray(values, dtype=jnp.float32).reshape(shape), device)
    p = jax.jit(jnp.matmul)(t(A, ROWS, INNER), t(B, INNER, COLUMNS))
    c = jax.jit(lambda x, w: jax.lax.conv(x, w, (1, 1), "SAME"))(t(X, 1, CHANNELS, SIZE, SIZE), t(W, FILTERS, CHANNELS, 3, 3))
    return p.ravel().tolist(), c.ravel().tolist()


# JAX looks for all its devices at the first use of one.
with step("devices", "jax.devices('cuda')", go_on=True) as s:
    if not cuda:
        jax.devices("cpu")
        s.skip("no CUDA plugin of JAX is installed")
    else:
        try:
            devices = jax.devices("cuda")
        except RuntimeError:
            # JAX says no more than that there is no such backend; why stands in what it keeps.
            import jax._src.xla_bridge as bridge
            why = getattr(bridge, "_backend_errors", {}).get("cuda")
            if why:
                raise RuntimeError("Unable to initialize backend 'cuda': " + str(why))
            raise
        s.values.update(count=len(devices), name=getattr(devices[0], "device_kind", ""), compute_capability=getattr(devices[0], "compute_capability", ""))

with step("compute", "on the CPU"):
    p, c = compute(jax.devices("cpu")[0])
compare("matrix product on the CPU", p, product())
compare("convolution on the CPU", c, convolution())
if s.state != "ok":
    finish()

with step("compute", "on the GPU", 0):
    p, c = compute(devices[0])
compare("matrix product on the GPU", p, product(), 0)
compare("convolution on the GPU", c, convolution(), 0)
finish()
