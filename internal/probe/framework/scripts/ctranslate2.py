with step("import", "ctranslate2") as s:
    import ctranslate2
    s.values.update(version=ctranslate2.__version__, path=ctranslate2.__file__)
    import numpy

with step("compute", "on the CPU") as s:
    s.values["types"] = " ".join(sorted(ctranslate2.get_supported_compute_types("cpu")))

with step("devices", "ctranslate2") as s:
    n = ctranslate2.get_cuda_device_count()
    s.values["count"] = n
    if n == 0:
        s.fail("ctranslate2.get_cuda_device_count() is 0")

# It computes in models alone, so what is tried is that it starts CUDA, and that what it holds there comes back.
with step("compute", "copy to the GPU", 0) as s:
    s.values["types"] = " ".join(sorted(ctranslate2.get_supported_compute_types("cuda")))
    if not hasattr(ctranslate2.StorageView, "to_device"):
        s.skip("CTranslate2 %s has no way to use a GPU without a model" % ctranslate2.__version__)
    else:
        view = ctranslate2.StorageView.from_array(numpy.asarray(A, dtype=numpy.float32)).to_device(ctranslate2.Device.cuda)
        back = numpy.array(view.to_device(ctranslate2.Device.cpu)).tolist()
if s.state == "ok":
    compare("copy to the GPU", back, A, 0)
finish()
