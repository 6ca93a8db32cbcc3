with step("import", "torch") as s:
    import torch
    s.values.update(version=torch.__version__, path=torch.__file__)

with step("build", "torch") as s:
    s.values.update(cuda=torch.version.cuda, hip=getattr(torch.version, "hip", None))
    if torch.backends.cuda.is_built() and torch.version.cuda:
        s.values["code"] = " ".join(torch._C._cuda_getArchFlags().split() if hasattr(torch._C, "_cuda_getArchFlags") else [])


def compute(device):
    def t(values, *shape):
        return torch.tensor(values, dtype=torch.float32).reshape(shape).to(device)
    p = t(A, ROWS, INNER) @ t(B, INNER, COLUMNS)
    c = torch.nn.functional.conv2d(t(X, 1, CHANNELS, SIZE, SIZE), t(W, FILTERS, CHANNELS, 3, 3), padding=1)
    return p.flatten().tolist(), c.flatten().tolist()


with step("compute", "on the CPU"):
    p, c = compute("cpu")
compare("matrix product on the CPU", p, product())
compare("convolution on the CPU", c, convolution())

with step("devices", "torch.cuda") as s:
    if not torch.version.cuda:
        s.skip("this build of PyTorch has no CUDA")
    else:
        torch.cuda.init()  # is_available() keeps the reason to itself
        s.values["count"] = torch.cuda.device_count()
        if not torch.cuda.is_available() or torch.cuda.device_count() == 0:
            s.fail("torch.cuda.is_available() is False")
        else:
            s.values.update(name=torch.cuda.get_device_name(0), compute_capability="%d.%d" % torch.cuda.get_device_capability(0))
if s.state == "skipped":
    finish()

with step("cudnn", "torch.backends.cudnn", go_on=True) as s:
    s.values["version"] = torch.backends.cudnn.version()
with step("compute", "on the GPU", 0) as s:
    p, c = compute("cuda:0")
    torch.cuda.synchronize()
compare("matrix product on the GPU", p, product(), 0)
compare("convolution on the GPU", c, convolution(), 0)
finish()
