"""A result as text, in the format that the program asked for."""

import json
import re
from collections.abc import Callable, Mapping

import yaml

from vetbox.run.guest.values import plain

NO_VALUE = "Code executed successfully (no return value)"
_WIDTH = 1_000_000  # columns: YAML never folds a line
# Characters of JSON. Writing YAML takes seconds for each million, which no run's limits count; more
# stays JSON, which is YAML, too.
MAX_YAML = 1_000_000
# libyaml's writer is several times faster, where the wheel has it; it writes emoji as escapes.
_Dumper: type[yaml.SafeDumper] = getattr(yaml, "CSafeDumper", yaml.SafeDumper)
_EMOJI = re.compile(r"\\U([0-9A-F]{8})")


def serialize_result(value: object, output_format: object = "json") -> str:
    """Text is itself, a lone scalar its `str()`, a collection what `__format__` says.

    Formats: json (compact; also for any unknown word), json_h, yml, yml_h, raw.
    """
    if isinstance(value, str):
        return value
    if output_format == "raw":
        return str(value)
    content = value if isinstance(value, float) else plain(value)
    if not isinstance(content, dict | list):
        return str(content)
    return FORMATS.get(str(output_format), _compact_json)(content)


def _compact_json(content: object) -> str:
    return json.dumps(content, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def _readable_json(content: object) -> str:
    return json.dumps(content, ensure_ascii=False, indent=2, allow_nan=False)


def _flow_yaml(content: object) -> str:
    return _yaml(content, flow=True)


def _block_yaml(content: object) -> str:
    return _yaml(content, flow=False)


def _yaml(content: object, *, flow: bool) -> str:
    compact = _compact_json(content)
    if len(compact) > MAX_YAML:
        return compact
    try:
        text = yaml.dump(
            content,
            Dumper=_Dumper,
            default_flow_style=flow,
            allow_unicode=True,
            sort_keys=False,
            width=_WIDTH,
        )
    except UnicodeEncodeError:  # half a surrogate pair, which YAML cannot hold
        return compact
    if r"\\U" not in compact:  # no text has a backslash before a U
        text = _EMOJI.sub(lambda escape: chr(int(escape[1], 16)), text)
    return text.rstrip("\n")


FORMATS: Mapping[str, Callable[[object], str]] = {
    "json": _compact_json,
    "json_h": _readable_json,
    "yml": _flow_yaml,
    "yml_h": _block_yaml,
}
