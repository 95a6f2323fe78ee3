"""One line for each check, in the form that run.sh counts: `ok NAME` or `FAILED NAME: cause`, with more of the cause below."""

import traceback
from contextlib import contextmanager

n_failed = 0


@contextmanager
def check(name):
    """Runs its block as one check; what the block raises is the cause of its failure, and the next check still runs."""
    global n_failed
    try:
        yield
    except Exception as trouble:
        n_failed += 1
        first, *rest = f"{type(trouble).__name__}: {trouble}".splitlines() or [""]
        print(f"FAILED {name}: {first}", flush=True)
        for line in rest + traceback.format_exc().splitlines()[-12:]:
            print(f"  {line}", flush=True)
    else:
        print(f"ok {name}", flush=True)


def must(holds, cause):
    """Unlike `assert`, still there under `python -O`."""
    if not holds:
        raise AssertionError(cause)
