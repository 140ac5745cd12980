"""One run of `vetbox check`: the options and settings it obeys, and the report it comes to."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from vetbox.cli.ending import tidy
from vetbox.cli.piped import Piped
from vetbox.cli.progress import progress_bar
from vetbox.errors import UnknownName
from vetbox.findings import Failure, FailureKind, Finding, Profile, Severity
from vetbox.late_dataclasses import dataclass
from vetbox.reports.lines import lines_of
from vetbox.reports.model import CheckReport
from vetbox.rule_files import RuleFiles, shipped_rules_dir
from vetbox.scan import RulesOnDemand, Scan, ScanOptions, scan, scan_text
from vetbox.settings import Settings, SettingsError, wrong

if TYPE_CHECKING:
    from vetbox.rules import RuleSet

BASELINE = "vetbox-baseline.json"
OWN_TOOLS = ("rules",)


@dataclass(frozen=True, slots=True)
class CheckOptions:
    """What to check and how: the command line where it says something, else the settings."""

    paths: tuple[Path, ...]
    profile: Profile
    rules: tuple[Path, ...]
    semgrep_rules: tuple[Path, ...]
    select: tuple[str, ...]
    ignore: tuple[str, ...]
    exclude: tuple[str, ...]
    error_on: Severity
    baseline: Path | None
    write_baseline: bool
    jobs: int | None
    cache: bool
    respect_ignores: bool
    tools: tuple[str, ...]
    parse_all: bool
    rules_url: str
    settings: Settings

    @classmethod
    def of(
        cls, paths: tuple[Path, ...], settings: Settings, given: Mapping[str, Any]
    ) -> "CheckOptions":
        """Merge; lists of the command line replace those of the settings, `rules` add to them."""
        _check_rules(settings)
        baseline = given["baseline"] or settings.baseline
        if given["write_baseline"]:
            baseline = baseline or settings.root / BASELINE
        return cls(
            paths=paths,
            profile=Profile(given["profile"] or settings.profile),
            rules=(*settings.rules, *given["rule_paths"]),
            semgrep_rules=given["semgrep_rules"],
            select=_words("select", *given["select"]) or settings.select,
            ignore=_words("ignore", *given["ignore"]) or settings.ignore,
            exclude=settings.exclude,
            error_on=Severity(given["error_on"] or settings.error_on),
            baseline=baseline,
            write_baseline=given["write_baseline"],
            jobs=given["jobs"],
            cache=not given["no_cache"],
            respect_ignores=not given["no_ignore"],
            tools=_words("tools", *_given(given["tools"])) or settings.tools,
            parse_all=given["parse_all"],
            rules_url=_address(given["rules_url"]) or settings.rules_url,
            settings=settings,
        )

    @property
    def scan_options(self) -> ScanOptions:
        """The part that the scan obeys."""
        return ScanOptions(
            profile=self.profile,
            jobs=self.jobs,
            cache=self.cache,
            exclude=self.exclude,
            root=self.settings.root,
            respect_ignores=self.respect_ignores,
            parse_all=self.parse_all or None,
        )

    def rules_asked(self) -> RulesOnDemand:
        """The rules that are asked for, of their files as they are now."""
        if self.semgrep_rules:
            return self._with_semgrep()
        read = self._rule_files()
        chosen = ("select", *self.select, "ignore", *self.ignore)
        digest = "\n".join((*(files.digest for files in read), *chosen))
        return RulesOnDemand(digest, lambda: self._selected(read))

    def _rule_files(self) -> list[RuleFiles]:
        own = [RuleFiles.below(self.rules)] if self.rules else []
        return [RuleFiles.below([shipped_rules_dir()], self.rules), *own]

    def _selected(self, read: Sequence[RuleFiles]) -> "RuleSet":
        from vetbox.rules import rules_in

        return self._chosen(rules_in(*read))

    def _chosen(self, rules: "RuleSet") -> "RuleSet":
        """Those selected and not ignored; raises a sentence that says where a wrong name is."""
        try:
            return rules.select(select=self.select, ignore=self.ignore)
        except UnknownName as error:
            place = self._place_of(error.name)
            if place is None:
                raise
            raise SettingsError(f"{place}: [tool.vetbox] {error}") from error

    def _place_of(self, name: str) -> str | None:
        """Where the settings say a name; None where the command line does."""
        settings = self.settings
        for key, here, there in (
            ("select", self.select, settings.select),
            ("ignore", self.ignore, settings.ignore),
        ):
            if name in here:
                return settings.place_of(key, name) if here is there else None
        return None

    def _with_semgrep(self) -> RulesOnDemand:
        """The rules and those of semgrep files.

        What of these has no equal is named on stderr; a file that cannot be read is a failure.
        """
        from vetbox.cli.rules_import import TAKEN, tell, tell_left_out
        from vetbox.rules import RuleSet, load_rules
        from vetbox.rules.loading.imported import load_semgrep
        from vetbox.semgrep import Refused

        own = dict(load_rules(*self.rules).rules)
        unread: list[Failure] = []
        for path in self.semgrep_rules:
            imported, refused = load_semgrep(path)
            for one in imported:
                if own.setdefault(one.rule.id, one.rule) is not one.rule:
                    tell([Refused(one.id, one.path, TAKEN)])
                else:
                    tell_left_out(one)
            tell([one for one in refused if not one.whole_file])
            unread += (
                Failure(str(one.path), FailureKind.UNREADABLE, one.reason, one.line, one.column)
                for one in refused
                if one.whole_file
            )
        return RulesOnDemand.ready(self._chosen(RuleSet.of(own.values())), unread)


def _words(option: str, *written: str) -> tuple[str, ...]:
    """`rules, ruff` taken apart; raises SettingsError for an option that names nothing."""
    words = tuple(filter(None, (word.strip() for text in written for word in text.split(","))))
    if written and not words:
        raise SettingsError(f"--{option} names nothing; leave it out, or name something")
    return words


def _check_rules(settings: Settings) -> None:
    """Raises SettingsError, with its place, for rules of the settings that are not there."""
    for path in settings.rules:
        if not path.exists():
            name = os.path.relpath(path, settings.root)
            place = settings.place_of("rules", name)
            raise SettingsError(f"{place}: [tool.vetbox] rules: '{name}': no such file or folder")


def _given(written: str | None) -> tuple[str, ...]:
    return () if written is None else (written,)


def _address(written: str | None) -> str | None:
    """Raises SettingsError for what no report should link to."""
    problem = wrong("rules-url", written) if written else None
    if problem:
        raise SettingsError(f"--{problem}")
    return written


def run_check(
    options: CheckOptions, rules: RulesOnDemand, piped: Piped | None = None
) -> CheckReport:
    """Scan the paths, or what was piped in; sort findings into new, accepted and suppressed."""
    if piped is not None:
        options = replace(options, tools=OWN_TOOLS)  # others read files
        result = scan_text(piped.data, piped.name, rules, options.scan_options)
    else:
        with progress_bar() as progress:
            result = scan(options.paths, rules, options.scan_options, progress=progress)
    findings, failures = with_other_tools(result, options)
    visible = [finding for finding in findings if finding.suppressed is None]
    new, accepted = against_baseline(visible, options)
    return CheckReport(
        findings=new,
        failures=(*rules.failures, *failures),
        suppressed=tuple(finding for finding in findings if finding.suppressed),
        accepted=accepted,
        files=result.files,
        skipped=result.skipped,
        rules=rules,
        lines=cache(piped.lines if piped else lines_of),  # of the files as they are at this check
        rules_url=options.rules_url,
        root=options.settings.root,
    )


def with_other_tools(
    result: Scan, options: CheckOptions
) -> tuple[tuple[Finding, ...], tuple[Failure, ...]]:
    """What our rules found, and with `--tools` what others say about the same files."""
    if options.tools == OWN_TOOLS:
        return result.findings, result.failures
    from vetbox.static_analysis.opinions import with_opinions

    with tidy():  # they are shown copies of the files, which would stay
        return with_opinions(
            result.findings,
            result.failures,
            result.paths,
            options.tools,
            suppress=options.profile is Profile.REPO,
        )


def against_baseline(
    findings: Sequence[Finding], options: CheckOptions
) -> tuple[tuple[Finding, ...], tuple[Finding, ...]]:
    """The findings that are new, and those the baseline accepts, writing it first when asked."""
    if options.baseline is None:
        return tuple(findings), ()
    from vetbox.baseline import read_baseline, write_baseline

    root = options.settings.root
    if options.write_baseline:
        write_baseline(options.baseline, findings, root)
    return read_baseline(options.baseline, root).split(findings)
