// The part common to all generated scripts (script_view): the Python code after the program and its
// data.
#ifndef HLO_ENGINE_VIEWS_SCRIPT_TEMPLATE_H_
#define HLO_ENGINE_VIEWS_SCRIPT_TEMPLATE_H_

#include <string_view>

namespace hlo {

/// Follows PROGRAM, DIALECT, REPLICAS, PARTITIONS, VALUES, ARGUMENTS, RESULTS and IS_RANDOM.
inline constexpr std::string_view kScriptCode = R"PYTHON(

def draws(seed, count):
    """The playground's generator of random inputs: SplitMix64, 64 bits a draw."""
    k = np.arange(1, count + 1, dtype=np.uint64)
    z = np.uint64(seed) + k * np.uint64(0x9E3779B97F4A7C15)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


def uniform(seed, count):
    return (draws(seed, count) >> np.uint64(40)).astype(np.float64) * 2.0**-24


def dtype_of(name):
    try:
        return np.dtype(name)
    except TypeError:
        import ml_dtypes  # comes with JAX

        return np.dtype(getattr(ml_dtypes, name))


def converted(numbers, dtype):
    if dtype.kind in "fiubc":
        return numbers.astype(dtype)
    return numbers.astype(np.float32).astype(dtype)


def made(rule, dtype, count):
    kind = rule[0]
    if kind == "bytes":
        return np.frombuffer(base64.b64decode(rule[1]), np.uint8).view(dtype)
    if kind == "constant":
        return np.repeat(np.frombuffer(base64.b64decode(rule[1]), np.uint8).view(dtype), count)
    if kind == "iota":
        numbers = np.arange(count, dtype=np.int64)
        return numbers % 2 == 1 if dtype == bool else converted(numbers, dtype)
    if kind == "integers":
        return converted((draws(rule[1], count) % np.uint64(rule[2])).astype(np.int64), dtype)
    is_complex = dtype.kind == "c"
    numbers = uniform(rule[1], 2 * count if is_complex else count)
    numbers = rule[2] + (rule[3] - rule[2]) * numbers
    return converted(numbers.view(np.complex128) if is_complex else numbers, dtype)


def value(number):
    """Input `number` as the playground had it: its bytes are checked."""
    name, dims, crc, rule = VALUES[number]
    dtype = dtype_of(name)
    if rule[0] == "file":
        path = os.path.join(os.path.dirname(os.path.abspath(__file__)), rule[1])
        if not os.path.exists(path):
            sys.exit(f"{path} is missing: save this input of the run as .npy beside the script")
        array = np.load(path)
        array = array if array.dtype == dtype else array.view(dtype)
    else:
        array = made(rule, dtype, int(np.prod(dims, dtype=np.int64)))
    array = np.ascontiguousarray(array).reshape(dims)
    if zlib.crc32(array.tobytes()) != crc:
        sys.exit(f"input {number} ({name}{list(dims)}) is not what the playground had")
    return array


def compile_options(devices):
    assignment = np.array([d.id for d in devices]).reshape(REPLICAS, PARTITIONS)
    try:
        from jax.extend.backend import get_compile_options
    except ImportError:
        from jax._src.compiler import get_compile_options
    # Every device runs the program as it is: nothing is left for the SPMD partitioner to do.
    return get_compile_options(
        REPLICAS, PARTITIONS, device_assignment=assignment, use_spmd_partitioning=False
    )


def program_text():
    if DIALECT == "stablehlo":
        return PROGRAM
    # HLO has no public way into JAX; XLA's own converter makes StableHLO of it.
    from jaxlib import xla_client

    module = xla_client._xla.hlo_module_from_text(PROGRAM)
    computation = xla_client.XlaComputation(module.as_serialized_hlo_module_proto())
    return xla_client._xla.mlir.xla_computation_to_mlir_module(computation)


def compiled(client, devices):
    text, options = program_text(), compile_options(devices)
    if not hasattr(client, "compile_and_load"):  # before JAX 0.6.2
        return client.compile(text, options)
    try:
        return client.compile_and_load(text, devices, options)
    except TypeError:
        from jaxlib import xla_client

        return client.compile_and_load(text, xla_client.DeviceList(tuple(devices)), options)


def compare(name, got, wanted):
    """Whether a result is the playground's, as far as the script has that."""
    dtype, dims, data = dtype_of(wanted[0]), wanted[1], base64.b64decode(wanted[2])
    if got.dtype != dtype or got.shape != tuple(dims):
        print(f"{name}: DIFFERS: {got.dtype}{list(got.shape)}, not {dtype}{list(dims)}")
        return False
    expected = np.frombuffer(data, np.uint8).view(dtype)
    got = got.reshape(-1)[: expected.size]
    part = "" if expected.size == np.prod(dims) else f" (of the first {expected.size} elements)"
    if got.tobytes() == data:
        print(f"{name}: the same bits as in the playground{part}")
        return True
    if dtype.kind in "iub":
        print(f"{name}: DIFFERS in {np.count_nonzero(got != expected)} elements{part}")
        return False
    wide = np.complex128 if dtype.kind == "c" else np.float64
    a, b = got.astype(wide), expected.astype(wide)
    try:
        step = float(np.finfo(dtype).eps)
    except ValueError:
        import ml_dtypes

        step = float(ml_dtypes.finfo(dtype).eps)
    near = np.isclose(a, b, rtol=64 * step, atol=64 * step, equal_nan=True)
    finite = np.isfinite(a) & np.isfinite(b)
    worst = float(np.max(np.abs(a[finite] - b[finite]), initial=0))
    word = "close to the playground's" if near.all() else f"DIFFERS in {np.count_nonzero(~near)}"
    print(f"{name}: {word}{part}; largest difference {worst:g}")
    return bool(near.all())


def main():
    import jax

    jax.config.update("jax_enable_x64", True)  # as the program is written
    if "--distributed" in sys.argv:  # a pod: run the script on every host
        jax.distributed.initialize()
    count = REPLICAS * PARTITIONS
    devices = jax.devices()
    if len(devices) < count:
        sys.exit(
            f"the program runs on {REPLICAS} replicas x {PARTITIONS} partitions, but JAX has"
            f" {len(devices)} device(s) of {devices[0].platform}. On the CPU set"
            f" XLA_FLAGS=--xla_force_host_platform_device_count={count}; on a pod start the"
            " script with --distributed on every host."
        )
    devices = devices[:count]
    try:
        from jax.extend.backend import get_backend
    except ImportError:
        from jax.lib.xla_bridge import get_backend
    print(f"JAX {jax.__version__}, {count} device(s): {devices[0].device_kind}")
    executable = compiled(get_backend(), devices)
    own = [i for i, d in enumerate(devices) if d.process_index == jax.process_index()]
    mesh = jax.sharding.Mesh(np.array(devices), ("device",))
    # Each device has an argument of its own, of the parameter's whole shape.
    sharding = jax.sharding.NamedSharding(mesh, jax.sharding.PartitionSpec())
    arguments = []
    for numbers in zip(*ARGUMENTS):
        parts = [jax.device_put(value(numbers[i]), devices[i]) for i in own]
        shape = VALUES[numbers[0]][1]
        arguments.append(jax.make_array_from_single_device_arrays(shape, sharding, parts))
    results = executable.execute_sharded(arguments).disassemble_into_single_device_arrays()
    good = True
    for at, device in enumerate(own):
        for number, parts in enumerate(results):
            array = np.asarray(parts[at])
            name = f"result {number}" + (f" of device {device}" if count > 1 else "")
            print(f"{name}: {array.dtype}{list(array.shape)}")
            print(np.array2string(array, threshold=64))
            if IS_RANDOM:
                print(f"{name}: random numbers, which every backend draws in its own way")
            elif RESULTS:
                good = compare(name, array, RESULTS[device][number]) and good
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
)PYTHON";

}  // namespace hlo

#endif  // HLO_ENGINE_VIEWS_SCRIPT_TEMPLATE_H_
