"""scikit-learn estimators from skops files, and pickles if allowed."""

from __future__ import annotations

import hashlib
import pickle
from dataclasses import replace
from pathlib import Path

from abalo.core.protocols.options import Calling
from abalo.errors import AbaloError, visible
from abalo.files import expand_home, read_bytes
from abalo.models.classifiers.black_box import BlackBoxClassifier, reader
from abalo.models.options import ModelOptions
from abalo.models.services.service import Service
from abalo.models.user_code import UserCode, will_run

SKOPS = ".skops"
PICKLES = (".pkl", ".pickle", ".joblib")


def load(spec: str, options: ModelOptions) -> BlackBoxClassifier:
    """Loads an estimator or pipeline from a file."""
    options.refuse_for("an estimator of scikit-learn")
    options.refuse_version("an estimator of scikit-learn")
    path = expand_home(spec)
    model = _from_skops(spec, path) if path.suffix == SKOPS else _from_pickle(spec, path, options)
    service = Service(model, UserCode(spec, path.parent), replace(options, calling=Calling()))
    read, labels, interface = reader(model, service, options)
    settings = {"interface": interface, "several_labels": options.several, **options.renaming}
    digest = hashlib.blake2b(read_bytes(path) + repr(sorted(settings.items())).encode(), digest_size=16).hexdigest()
    return BlackBoxClassifier(spec, digest, labels, read, settings, black_box=False)


def _from_skops(spec: str, path: Path) -> object:
    """Raises `AbaloError` for types that skops considers unsafe."""
    try:
        from skops import io
    except ImportError as error:
        raise AbaloError(f"model {spec}: needs scikit-learn and skops: pip install 'abalo[sklearn]'") from error
    try:
        unsafe = io.get_untrusted_types(file=path)
        if not unsafe:
            return io.load(path, trusted=[])
    except Exception as error:  # a damaged file can raise anything
        raise AbaloError(
            f"model {spec}: cannot be read: {visible(error)[:400]}; write it with skops.io.dump"
        ) from error
    raise AbaloError(
        f"model {spec}: holds {', '.join(map(visible, unsafe))}, which skops does not take for safe; expected types of "
        "scikit-learn, NumPy and SciPy alone; load it in a factory of yours and give module:factory"
    )


def _from_pickle(spec: str, path: Path, options: ModelOptions) -> object:
    if not options.allow_pickle:
        raise AbaloError(
            f"model {spec}: is a pickle, and loading one can run any code. Save it again with skops.io.dump, which "
            f"writes a {SKOPS} file, or, if you trust its source, pass --abalo-allow-pickle"
        )
    will_run(spec, [path])
    try:
        if path.suffix == ".joblib":
            import joblib

            return joblib.load(path)
        with path.open("rb") as file:
            return pickle.load(file)  # noqa: S301 - asked for
    except ImportError as error:
        raise AbaloError(f"model {spec}: needs {error.name}: pip install 'abalo[sklearn]'") from error
    except Exception as error:  # whatever a pickle does
        raise AbaloError(f"model {spec}: cannot be read: {type(error).__name__}: {visible(error)[:400]}") from error
