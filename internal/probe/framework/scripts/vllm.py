os.environ["VLLM_NO_USAGE_STATS"] = os.environ["VLLM_DO_NOT_TRACK"] = os.environ["DO_NOT_TRACK"] = "1"

with step("import", "vllm") as s:
    import vllm
    s.values.update(version=vllm.__version__, path=vllm.__file__)

# The compiled part is of one CUDA and, where its name does not say stable, of one torch. A model is needed for more.
import importlib.util

parts = [n for n in ("vllm._C", "vllm._C_stable_libtorch") if importlib.util.find_spec(n)]
with step("import", parts[0] if parts else "vllm._C") as s:
    if parts:
        importlib.import_module(parts[0])
    else:
        s.skip("this build of vLLM has neither vllm._C nor vllm._C_stable_libtorch")
with step("devices", "vllm.platforms", go_on=True) as s:
    from vllm.platforms import current_platform
    s.values["platform"] = getattr(current_platform, "device_type", "")
    if not s.values["platform"]:
        s.fail("vLLM found no platform to run on")
    elif s.values["platform"] == "cpu":
        s.skip("vLLM runs on the CPU here")
finish()
