os.environ["VLLM_NO_USAGE_STATS"] = os.environ["VLLM_DO_NOT_TRACK"] = os.environ["DO_NOT_TRACK"] = "1"

with step("import", "vllm") as s:
    import vllm
    s.values.update(version=vllm.__version__, path=vllm.__file__)

# The compiled part is of one torch and one CUDA. A model is needed for more.
with step("import", "vllm._C") as s:
    try:
        import vllm._C
    except ModuleNotFoundError as e:
        if e.name != "vllm._C":
            raise
        s.skip("this build of vLLM has no vllm._C")
with step("devices", "vllm.platforms", go_on=True) as s:
    from vllm.platforms import current_platform
    s.values["platform"] = getattr(current_platform, "device_type", "")
    if not s.values["platform"]:
        s.fail("vLLM found no platform to run on")
    elif s.values["platform"] == "cpu":
        s.skip("vLLM runs on the CPU here")
finish()
