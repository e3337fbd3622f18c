# What this module does: imports the modules of a pipeline that is packed as a wheel, so that their tables and flows are
# registered. They expect `spark` and `dbutils` as a notebook has them. Written by lhp @VERSION@ with each generate.
import builtins
import importlib
import pkgutil
from types import ModuleType
from typing import Any


def publish(names: dict[str, Any], into: ModuleType) -> None:
    """Makes what the runtime gave this module visible in all modules."""
    for name in ("spark", "dbutils"):
        if name in names:
            setattr(into, name, names[name])


def import_all(package: ModuleType) -> None:
    for module in sorted(found.name for found in pkgutil.iter_modules(package.__path__)):
        importlib.import_module(f"{package.__name__}.{module}")


publish(globals(), builtins)
import_all(importlib.import_module(PACKAGE))
