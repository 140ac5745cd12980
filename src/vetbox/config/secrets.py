"""`${env:NAME}`: a secret stands in the environment, and only its name in the configuration."""

import re
from collections.abc import Mapping
from typing import Protocol

from vetbox.errors import VetboxError

REFERENCE = re.compile(r"\$\{env:([A-Za-z_][A-Za-z0-9_]*)\}")
# A key of this kind holds a secret, so a literal value would be one that is written down.
SENSITIVE = re.compile(r"token|secret|passw|api[-_]?key|credential|authorization|cookie", re.I)


# A shorter value is no secret, and hiding it would tear other words apart.
MIN_SECRET = 4


class HasSecrets(Protocol):
    """Something that names the variables its secrets are in."""

    @property
    def secret_names(self) -> tuple[str, ...]: ...


class MissingSecret(VetboxError):
    """A variable that the configuration names is not set."""


def expand(text: str, environ: Mapping[str, str]) -> str:
    """The text with each reference replaced by the variable's value; raises MissingSecret."""

    def value(match: re.Match[str]) -> str:
        name = match[1]
        if name not in environ:
            raise MissingSecret(f"The environment variable {name} is not set: export it first.")
        return environ[name]

    return REFERENCE.sub(value, text)


def names_in(text: str) -> tuple[str, ...]:
    """The variables that a text refers to."""
    return tuple(REFERENCE.findall(text))


def check_no_literal_secret(key: str, value: str) -> None:
    """Refuse a secret written into the file, and a reference that would not be recognised."""
    if "${" in REFERENCE.sub("", value):
        raise ValueError(f"{key}: only ${{env:NAME}} is known as a reference")
    if SENSITIVE.search(key) and not names_in(value):
        raise ValueError(f"{key}: a secret must be a reference such as ${{env:NAME}}")


def secret_values(config: HasSecrets, environ: Mapping[str, str]) -> frozenset[str]:
    """The values that must not show in results and logs."""
    values = (environ.get(name, "") for name in config.secret_names)
    return frozenset(value for value in values if len(value) >= MIN_SECRET)
