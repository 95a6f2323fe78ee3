"""One line for each check, in the form that run.sh counts: `ok NAME` or `FAILED NAME: cause`, with more of the cause below."""

import traceback
from contextlib import contextmanager

n_failed = 0


@contextmanager
def check(name):
    """Runs its block as one check; what the block raises is the cause of its failure, and the next check still runs."""
    try:
        yield
    except AssertionError as trouble:
        failed(name, str(trouble))
    except Exception as trouble:
        while isinstance(trouble, BaseExceptionGroup):
            trouble = trouble.exceptions[0]
        failed(name, f"{type(trouble).__name__}: {trouble}", *"".join(traceback.format_exception(trouble)).splitlines()[-12:])
    else:
        print(f"ok {name}", flush=True)


def failed(name, cause, *more):
    global n_failed
    n_failed += 1
    first, *rest = cause.splitlines() or [""]
    print(f"FAILED {name}: {first}", *rest, *more, sep="\n  ", flush=True)


def must(holds, cause):
    """Unlike `assert`, still there under `python -O`."""
    if not holds:
        raise AssertionError(cause)
