"""`.onetool/onetool.yaml`: what is accepted, and where an error points."""

from pathlib import Path

import pytest

from tests.timing import within
from vetbox.config import Config, ConfigError, HttpServer, Isolation, load_config
from vetbox.config.model import SandboxSettings
from vetbox.config.secrets import MissingSecret, expand
from vetbox.sandbox import ExecutionPolicy

WHOLE = """\
alias: {ws: brave.web_search, w: ws}
snippets:
  wsq:
    description: Search two things
    params: {q1: {required: true, description: first}, q2: {default: x}}
    body: "brave.web_search(query={{ q1 | tojson }})"
servers:
  files: {type: stdio, command: npx, args: [-y, files], env: {API_TOKEN: "${env:FILES_TOKEN}"}}
  web: {type: http, url: "https://mcp.example/mcp", headers: {Authorization: "Bearer ${env:WEB}"}}
projects: {onetool: ~/projects/onetool}
output: {max_inline_size: 1000, preview_lines: 3, result_ttl: 60, result_store_dir: tmp}
security: {isolation: host, writable: ["notes/**"]}
server: {validation_errors: tool, allowed_hosts: ["box.example:8765"]}
sandbox: {timeout_seconds: 5, fuel_budget: 1000000}
tools: {disabled: [fs.write], timeout: 10}
rules: [team-rules]
"""


def project(folder: Path, text: str | bytes) -> Path:
    own = folder / ".onetool"
    own.mkdir()
    (own / "onetool.yaml").write_bytes(text if isinstance(text, bytes) else text.encode())
    return folder


def test_every_section_is_read(tmp_path: Path) -> None:
    config = load_config(project(tmp_path, WHOLE))
    assert config.alias == {"ws": "brave.web_search", "w": "ws"}
    assert config.snippets["wsq"].params["q2"].default == "x"
    assert config.security.isolation is Isolation.HOST
    assert config.sandbox.timeout_seconds == 5.0
    assert config.rules == ("team-rules",)


@pytest.mark.parametrize("text", ["", "# nothing\n", "---\n"])
def test_an_empty_file_asks_for_nothing(tmp_path: Path, text: str) -> None:
    assert load_config(project(tmp_path, text)) == Config()


def test_no_file_is_the_defaults(tmp_path: Path) -> None:
    config = load_config(tmp_path)
    assert config.output.max_inline_size == 50_000
    assert config.output.preview_lines == 10
    assert config.output.result_ttl == 3_600


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "output:\n  max_inline: 5\n",
            ".onetool/onetool.yaml:2:3: output.max_inline: not a known key",
        ),
        (
            "output: {preview_line: 3}\n",
            "output.preview_line: not a known key; did you mean 'preview_lines'?",
        ),
        ("server: {max_call: 3}\n", "server.max_call: not a known key; did you mean 'max_calls'?"),
        ("servers: {s: {type: stdio, comand: x}}\n", "did you mean 'command'?"),
        ("sandbox: {fuel_budgt: 3}\n", "did you mean 'fuel_budget'?"),
        ("snippets: {s: {body: x, params: {a: {requird: true}}}}\n", "did you mean 'required'?"),
        ("servrs: {}\n", "servrs: not a known key; did you mean 'servers'?"),
        ("zzz: 1\n", "zzz: not a known key; the keys here are alias, snippets, servers, "),
        ("servers: {s: {type: htp, url: x}}\n", "'htp' is not one of stdio, http; did you mean"),
        ("servers: {s: {url: x}}\n", "servers.s: the key 'type' is missing; add it"),
        ("tools: {timeout: 0}\n", "tools.timeout: must be more than 0"),
        ("output:\n  result_ttl: '3600'\n", ".onetool/onetool.yaml:2:15: output.result_ttl: "),
        ("output: []\n", ".onetool/onetool.yaml:1:9: output: "),
        ("outputs: {}\n", ".onetool/onetool.yaml:1:1: "),
        ('projects: {a: "b\\0c"}\n', ".onetool/onetool.yaml:1:15: projects.a: "),
        ('projects: {a: ""}\n', ".onetool/onetool.yaml:1:15: projects.a: "),
        (
            'servers: {x: {type: http, url: "http://h/\\r\\nX: y"}}\n',
            "holds blanks or control characters",
        ),
        ("alias: {a: b, b: a}\n", "refers to itself: a -> b -> a"),
        ("alias: {__import__: ot.health}\n", "'__import__' is reserved for Python"),
        ("alias: {eval: ot.health}\n", "'eval' is a builtin of Python"),
        ("alias: {if: ot.health}\n", "'if' is a keyword of Python"),
        ("servers: {print: {type: stdio, command: x}}\n", "'print' is a builtin of Python"),
        ("alias: {a: print}\n", "'a' must lead to pack.tool, not to 'print'"),
        ("projects: {__class__: src}\n", "'__class__' is reserved for Python"),
        ("sandbox:\n  mounts: {/: /}\n", ".onetool/onetool.yaml:2:3: "),
        ("sandbox: {timeout_seconds: true}\n", "sandbox.timeout_seconds: "),
        ("output: {result_store_dir: ../x}\n", "must be a path inside the project"),
        ("rules: [/etc]\n", "must be a path inside the project"),
        ("security: {isolation: hosts}\n", "did you mean 'host'?"),
        ("server: {allowed_hosts: ['*']}\n", "without wildcards"),
        ("servers: {s: {type: http, url: 'http://169.254.169.254/'}}\n", "link-local"),
        ("servers: {s: {type: http, url: 'http://[::ffff:169.254.1.1]/'}}\n", "link-local"),
        ("servers: {s: {type: http, url: 'file:///etc/passwd'}}\n", "not an http or https URL"),
        ("servers: {s: {type: http, url: 'http://u:p@h/'}}\n", "no user name or password"),
        ("servers: {s: {type: stdio, command: x, env: {TOKEN: abc}}}\n", "must be a reference"),
        ("servers: {s: {type: stdio, command: x, env: {A: '${HOME}'}}}\n", "only ${env:NAME}"),
        ("rules: x\n", "1:8: rules: must be a list: in [ ], or each entry behind a -"),
        (
            "security: {writable: '**'}\n",
            "1:22: security.writable: must be a list: in [ ], or each entry behind a -",
        ),
        (
            "sandbox: {memory_bytes: 1}\n",
            "1:25: sandbox.memory_bytes: must be at least 20,000,000",
        ),
        (
            "sandbox:\n  stdout_max_bytes: 99999999999\n",
            "2:21: sandbox.stdout_max_bytes: must be at most 100,000,000",
        ),
    ],
)
def test_an_error_names_the_place_and_the_reason(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(ConfigError) as caught:
        load_config(project(tmp_path, text))
    assert message in str(caught.value)
    assert str(caught.value).startswith(".onetool/onetool.yaml:1:") or ":2:" in str(caught.value)


@pytest.mark.parametrize("name", SandboxSettings.model_fields)
def test_the_sandbox_takes_every_limit_that_the_file_may_set(name: str) -> None:
    bounds = SandboxSettings.model_json_schema()["properties"][name]["anyOf"][0]
    least = bounds.get("minimum", bounds.get("exclusiveMinimum", 0) + 1)
    most = bounds.get("maximum", bounds.get("exclusiveMaximum", 0) - 1)
    assert least < most
    for value in (least, most):
        ExecutionPolicy.model_validate({name: value})


def test_a_linked_configuration_is_refused(tmp_path: Path) -> None:
    (tmp_path / "elsewhere.yaml").write_text("alias: {}\n")
    (tmp_path / ".onetool").mkdir()
    (tmp_path / ".onetool/onetool.yaml").symlink_to(tmp_path / "elsewhere.yaml")
    with pytest.raises(ConfigError):
        load_config(tmp_path)


def test_a_configuration_that_others_may_write_is_refused(tmp_path: Path) -> None:
    root = project(tmp_path, "alias: {}\n")
    (root / ".onetool/onetool.yaml").chmod(0o666)
    with pytest.raises(ConfigError, match="chmod o-w"):
        load_config(root)


def test_bytes_that_are_not_text_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="not UTF-8"):
        load_config(project(tmp_path, b"alias: {a: \xff}\n"))


def test_a_secret_is_filled_in_only_on_demand(tmp_path: Path) -> None:
    server = load_config(project(tmp_path, WHOLE)).servers["web"]
    assert isinstance(server, HttpServer)
    assert server.secret_names == ("WEB",)
    assert server.resolved({"WEB": "s3cret"}).headers == {"Authorization": "Bearer s3cret"}
    assert "s3cret" not in repr(server)


def test_a_missing_secret_is_named() -> None:
    with pytest.raises(MissingSecret, match="variable FILES_TOKEN is not set"):
        expand("${env:FILES_TOKEN}", {})


BOMBS = {
    "tag": "projects:\n  x: !include /etc/passwd\n",
    "aliases": "a: &a [x, x]\nb: [*a, *a]\n",
    "merge": "a: &a {k: 0}\nb:\n  <<: *a\n",
    "deep": "a: " + "[" * 2_000 + "]" * 2_000 + "\n",
    "deeper": "a: " + "[" * 100_000 + "]" * 100_000 + "\n",
    "digits": "output:\n  max_inline_size: " + "9" * 5_000 + "\n",
    "twice": "output:\n  max_inline_size: 1000\noutput:\n  max_inline_size: 2000\n",
    "documents": "output:\n  preview_lines: 5\n---\nalias: {}\n",
    "large": "#" * 1_100_000,
}


@pytest.mark.parametrize("name", BOMBS)
def test_a_hostile_document_is_refused_at_once(tmp_path: Path, name: str) -> None:
    root = project(tmp_path, BOMBS[name])

    def load() -> None:
        with pytest.raises(ConfigError):
            load_config(root)

    assert within(2, load)
