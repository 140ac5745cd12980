"""`vetbox check`: find security problems in Python files."""

import os
import shlex
from collections.abc import Iterator, Sequence, Set
from pathlib import Path
from typing import TYPE_CHECKING

import click
from click.core import ParameterSource

from vetbox.cli.checking import OWN_TOOLS, CheckOptions, run_check
from vetbox.cli.output import check_place, publish
from vetbox.cli.piped import Piped, is_piped
from vetbox.cli.places import Place
from vetbox.counting import counted
from vetbox.findings import Safety, Severity
from vetbox.reports import FORMATS
from vetbox.reports.model import CheckReport, worst_first
from vetbox.scan import RulesOnDemand
from vetbox.settings import read_settings

if TYPE_CHECKING:
    from vetbox.cli.fixing import FixedFile

FOUND = 1
STDIN = Path("<stdin>")

CONTRADICTIONS = (
    ("write_baseline", "fix"),
    ("write_baseline", "diff"),
    ("diff", "form"),
    ("diff", "output"),
)
"""Pairs of options of which one would be without effect, or worse."""
OF_FILES = frozenset({"fix", "diff", "tools"})
"""Options that cannot be asked of code that is in no file."""

FOLDER = Place(exists=True, path_type=Path)
CODE = Place(exists=True, allow_dash=True, path_type=Path)
FILE = Place(dir_okay=False, path_type=Path)


@click.command()
@click.argument("paths", nargs=-1, type=CODE)
@click.option(
    "--profile",
    type=click.Choice(["repo", "agent"]),
    help="repo: a code base, comments may suppress (default). agent: code that is about to run.",
)
@click.option(
    "--rules",
    "rule_paths",
    multiple=True,
    type=FOLDER,
    help="A rule file or folder of your own; repeatable.",
)
@click.option(
    "--semgrep-rules",
    multiple=True,
    type=FOLDER,
    help="A file or folder of semgrep rules to run as well; repeatable.",
)
@click.option(
    "--select",
    multiple=True,
    metavar="RULE",
    help="Only these rules, packs or globs; comma-separated or repeated.",
)
@click.option("--ignore", multiple=True, metavar="RULE", help="Leave these out.")
@click.option(
    "--tools",
    metavar="NAMES",
    help="Comma-separated: rules, ruff, bandit, pylint, flake8, radon, lizard. What several of "
    "them report about a statement is shown once.",
)
@click.option(
    "--format", "form", type=click.Choice(list(FORMATS)), default="text", show_default=True
)
@click.option(
    "--rules-url",
    metavar="URL",
    help="Where the pages of `vetbox rules site` are served; SARIF results link to them.",
)
@click.option("--output", "-o", type=FILE, help="Write the report here instead of the terminal.")
@click.option(
    "--jobs",
    "-j",
    type=click.IntRange(min=1),
    metavar="N",
    help="Parallel workers; by default as many as cores, fewer for little code.",
)
@click.option("--no-cache", is_flag=True, help="Analyse every file again.")
@click.option(
    "--no-ignore",
    is_flag=True,
    help="Check files that .gitignore or [tool.vetbox] exclude as well.",
)
@click.option(
    "--parse-all",
    is_flag=True,
    help="Look for syntax errors in every file, also in scans of at least 200 files and 2 MB.",
)
@click.option("--statistics", is_flag=True, help="End with a count per rule.")
@click.option("--exit-zero", is_flag=True, help="Exit 0 whatever is found.")
@click.option(
    "--error-on",
    type=click.Choice([level.value for level in Severity]),
    help="Exit 1 only for this severity or worse.",
)
@click.option("--baseline", type=FILE, help="Report only findings that are not in this file.")
@click.option(
    "--write-baseline",
    is_flag=True,
    help="Accept everything found now: write it to the --baseline, or to vetbox-baseline.json.",
)
@click.option(
    "--stdin-filename",
    type=FILE,
    help="What code from standard input is called in the report.  [default: <stdin>]",
)
@click.option("--fix", is_flag=True, help="Write the safe fixes, then report what is left.")
@click.option(
    "--unsafe-fixes", is_flag=True, help="Include fixes that may change what the code does."
)
@click.option(
    "--diff",
    is_flag=True,
    help="Show the fixes as a diff instead; nothing is written. Exit 1 if there are any.",
)
@click.pass_context
def check(
    ctx: click.Context,
    /,
    paths: tuple[Path, ...],
    form: str,
    output: Path | None,
    stdin_filename: Path | None,
    statistics: bool,
    exit_zero: bool,
    fix: bool,
    unsafe_fixes: bool,
    diff: bool,
    **given: object,
) -> None:
    """Find security problems in PATHS, files or folders (default: this folder).

    `-` checks code from standard input.

    Exit codes: 0 clean, 1 findings or files that could not be analysed, 2 misuse.
    """
    refuse_contradictions(ctx, {*given_flags(ctx)})
    from_stdin = is_piped(paths, stdin_filename, of_files(ctx))
    check_place(output, paths)
    options = CheckOptions.of(paths or (Path(),), read_settings(Path.cwd()), given)
    if options.write_baseline:
        check_place(options.baseline, paths)
    piped = Piped.read(stdin_filename or STDIN) if from_stdin else None
    if piped and options.tools != OWN_TOOLS:
        tell("`-` is checked by the rules alone; other tools need a file")
    rules = options.rules_asked()
    report = run_check(options, rules, piped)
    if diff:
        would_change = show_fixes(report, options, rules, unsafe=unsafe_fixes)
        ctx.exit(FOUND if would_change and not exit_zero else 0)
    if fix:
        report = write_fixes(report, options, rules, unsafe=unsafe_fixes)
    publish(report, form, output, statistics=statistics)
    if options.write_baseline and options.baseline:
        place = as_seen(options.baseline)
        tell(f"wrote {place}; check with --baseline {shlex.quote(place)}")
    ctx.exit(0 if exit_zero else exit_code(report, options.error_on))


def show_fixes(
    report: CheckReport, options: CheckOptions, rules: RulesOnDemand, *, unsafe: bool
) -> bool:
    """The fixes as a diff on stdout; whether there are any."""
    files = fixes_of(report, options, rules, unsafe=unsafe)
    click.echo("".join(file.diff() for file in files), nl=False)
    tell(f"{counted(len(files), 'file')} would be fixed{unsafe_left(report, unsafe=unsafe)}")
    return bool(files)


def write_fixes(
    report: CheckReport, options: CheckOptions, rules: RulesOnDemand, *, unsafe: bool
) -> CheckReport:
    """Write the fixes into their files; the report of what is left."""
    files = fixes_of(report, options, rules, unsafe=unsafe)
    for file in files:
        file.write()
    tell(f"fixed {counted(len(files), 'file')}{unsafe_left(report, unsafe=unsafe)}")
    return run_check(options, rules) if files else report


def fixes_of(
    report: CheckReport, options: CheckOptions, rules: RulesOnDemand, *, unsafe: bool
) -> "Sequence[FixedFile]":
    """Every file of a report that a rule knows a fix for, fixed in memory."""
    from vetbox.cli.fixing import fixed_files, linked_files

    for path in linked_files(report.findings):
        tell(f"{path} is a link and is left as it is; fix the file it leads to")
    return list(fixed_files(report.findings, rules.loaded, options.profile, unsafe=unsafe))


def unsafe_left(report: CheckReport, *, unsafe: bool) -> str:
    """How many fixes wait for --unsafe-fixes, as the end of a sentence."""
    fixes = [finding.fix for finding in report.findings if finding.fix]
    waiting = 0 if unsafe else sum(fix.safety is Safety.UNSAFE for fix in fixes)
    if not waiting:
        return ""
    more = counted(waiting, "more finding")
    return f"; {more} can be fixed with --unsafe-fixes, which may change behaviour"


def as_seen(path: Path) -> str:
    """A path as one would write it here; whole where it leads out of this folder."""
    short = os.path.relpath(path)
    return str(path) if short.startswith(os.pardir) else short


def tell(sentence: str) -> None:
    """What is no part of the report stands beside it, on stderr."""
    click.echo(f"vetbox: {sentence}", err=True)


def of_files(ctx: click.Context) -> Sequence[str]:
    """The options of the command line that only files can answer, as they are written."""
    given = OF_FILES.intersection(given_flags(ctx))
    return [option.opts[0] for option in ctx.command.params if option.name in given]


def refuse_contradictions(ctx: click.Context, given: Set[str]) -> None:
    """Raise UsageError for options that do not go together."""
    names = {option.name: option.opts[0] for option in ctx.command.params}
    for one, other in CONTRADICTIONS:
        if {one, other} <= given:
            sentence = f"{names[one]} does not go with {names[other]}; call vetbox twice"
            raise click.UsageError(sentence, ctx)
    if "unsafe_fixes" in given and not given & {"fix", "diff"}:
        raise click.UsageError("--unsafe-fixes goes with --fix or --diff; add one of them", ctx)


def given_flags(ctx: click.Context) -> Iterator[str]:
    """The options that the command line names."""
    for name in ctx.params:
        if ctx.get_parameter_source(name) is ParameterSource.COMMANDLINE:
            yield name


def exit_code(report: CheckReport, error_on: Severity) -> int:
    """A file that was not analysed is never clean."""
    bad = any(worst_first(f.severity) <= worst_first(error_on) for f in report.findings)
    return FOUND if bad or report.failures else 0
