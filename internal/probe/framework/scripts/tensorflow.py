os.environ.setdefault("TF_FORCE_GPU_ALLOW_GROWTH", "true")  # it takes all of a GPU's memory otherwise
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "0")  # what it says of missing libraries is wanted

with step("import", "tensorflow") as s:
    import tensorflow as tf
    s.values.update(version=tf.__version__, path=tf.__file__)

with step("build", "tensorflow") as s:
    info = tf.sysconfig.get_build_info()
    cuda = bool(info.get("is_cuda_build"))
    if cuda:
        s.values.update(cuda=info.get("cuda_version"), cudnn=info.get("cudnn_version"), code=" ".join(info.get("cuda_compute_capabilities", [])))


def compute(device):
    with tf.device(device):
        p = tf.linalg.matmul(tf.constant(A, tf.float32, (ROWS, INNER)), tf.constant(B, tf.float32, (INNER, COLUMNS)))
        picture = tf.transpose(tf.constant(X, tf.float32, (1, CHANNELS, SIZE, SIZE)), (0, 2, 3, 1))
        weights = tf.transpose(tf.constant(W, tf.float32, (FILTERS, CHANNELS, 3, 3)), (2, 3, 1, 0))
        c = tf.transpose(tf.nn.conv2d(picture, weights, 1, "SAME"), (0, 3, 1, 2))
        return (p, c), [tf.reshape(v, (-1,)).numpy().tolist() for v in (p, c)]


# The devices come first: TensorFlow looks for them at its first operation.
with step("devices", "tf.config", go_on=True) as s:
    devices = tf.config.list_physical_devices("GPU")
    s.values["count"] = len(devices)
    if not cuda:
        s.skip("this build of TensorFlow has no CUDA")
    elif not devices:
        s.fail("tf.config.list_physical_devices('GPU') is empty")
    else:
        details = tf.config.experimental.get_device_details(devices[0])
        s.values.update(name=details.get("device_name"), compute_capability="%d.%d" % tuple(details.get("compute_capability", (0, 0))))
tf.config.set_soft_device_placement(False)  # nothing moves to the CPU unsaid

with step("compute", "on the CPU"):
    _, (p, c) = compute("/CPU:0")
compare("matrix product on the CPU", p, product())
compare("convolution on the CPU", c, convolution())
if s.state != "ok":
    finish()

with step("compute", "on the GPU", 0) as s:
    tensors, (p, c) = compute("/GPU:0")
    s.values["placed"] = tensors[1].device
compare("matrix product on the GPU", p, product(), 0)
compare("convolution on the GPU", c, convolution(), 0)
finish()
