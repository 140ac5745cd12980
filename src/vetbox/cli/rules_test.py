"""`vetbox rules test`: whether every rule proves what it claims."""

from collections.abc import Sequence
from os import cpu_count
from pathlib import Path

import click

from vetbox.cli.places import Place
from vetbox.gate import Judgement, judge_all
from vetbox.rules import shipped_rules_dir


@click.command("test")
@click.argument("paths", nargs=-1, type=Place(exists=True, path_type=Path))
@click.option("--semgrep", is_flag=True, help="PATHS are semgrep rules with `# ruleid:` fixtures.")
@click.option(
    "--mutate",
    is_flag=True,
    help="Also delete or weaken each clause in turn; a fixture must notice.",
)
@click.option(
    "--jobs",
    "-j",
    type=click.IntRange(min=1),
    metavar="N",
    default=cpu_count,
    help="Parallel workers; as many as cores by default.",
)
@click.pass_context
def test(
    context: click.Context, paths: tuple[Path, ...], semgrep: bool, mutate: bool, jobs: int
) -> None:
    """Check rules against their fixtures.

    PATHS are rule files or folders of them; all shipped rules by default.
    """
    if semgrep:
        if not paths:
            raise click.UsageError("--semgrep needs PATHS: name semgrep rules, or folders of them")
        context.exit(_semgrep(paths))
    shipped = shipped_rules_dir()
    if not paths and not shipped.with_name("fixtures").is_dir():
        raise click.UsageError("name the rules to test: an installed vetbox has no fixtures")
    for path in paths:
        if not (path.is_file() or path.is_dir()):
            raise click.UsageError(f"{path}: no such rule file or folder")
    judgements = judge_all(paths or [shipped], mutate=mutate, jobs=jobs)
    for judgement in judgements:
        for problem in judgement.problems:
            click.echo(problem)
        for cost in judgement.costs:
            click.echo(f"{judgement.path}: slow: {cost}", err=True)
    failed = [judgement for judgement in judgements if judgement.problems]
    click.echo(_summary(judgements, len(failed), mutate=mutate))
    context.exit(1 if failed or not judgements else 0)


def _summary(judgements: Sequence[Judgement], failed: int, *, mutate: bool) -> str:
    files = len(judgements)
    cases = sum(judgement.cases for judgement in judgements)
    rewritten = sum(judgement.variants for judgement in judgements)
    text = f"{files - failed} of {files} rules and models hold"
    text += f": {cases:,} cases, {rewritten:,} variants"
    if mutate:
        mutants = sum(judgement.mutants for judgement in judgements)
        equivalent = sum(judgement.equivalent for judgement in judgements)
        text += f", {mutants:,} mutants ({equivalent} declared equivalent)"
    return text


def _semgrep(paths: tuple[Path, ...]) -> int:
    """Each rule that is not imported, each that missed a line, and a sum; 1 if any failed."""
    from vetbox.cli.rules_import import tell
    from vetbox.gate.semgrep import outcomes
    from vetbox.rules.loading.imported import load_semgrep

    loaded = [load_semgrep(path) for path in paths]
    rules = [rule for found, _ in loaded for rule in found]
    refused = [one for _, left_out in loaded for one in left_out]
    tell(refused)
    judged = list(outcomes(rules))
    for outcome in judged:
        for line in outcome.missed:
            click.echo(f"{outcome.fixture}:{line}: {outcome.rule.id} does not fire")
        for line in outcome.surplus:
            click.echo(f"{outcome.fixture}:{line}: {outcome.rule.id} fires without a `ruleid:`")
    held = sum(outcome.holds for outcome in judged)
    click.echo(f"{held} of {len(judged)} rules hold; {len(refused)} not imported")
    return 0 if judged and held == len(judged) and not refused else 1
