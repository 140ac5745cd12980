"""The one place that wires a project together; everything else is handed what it needs."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Self

from vetbox.app.once import once
from vetbox.audit import AuditLog
from vetbox.config import Config, load_config
from vetbox.errors import VetboxError
from vetbox.trust import NotTrusted, Part, Standing, TrustStore, untrusted_notice

if TYPE_CHECKING:
    from vetbox.rules import RuleSet
    from vetbox.run.judge import Judges
    from vetbox.run.runner import Runner


@dataclass(frozen=True)
class Project:
    """One opened project. `config` is the project's own only when the user trusts it.

    The services are made when they are first asked for, so that a server starts at once.
    """

    root: Path
    config: Config
    trust: TrustStore
    audit: AuditLog
    trusted: bool

    @classmethod
    def open(cls, root: Path, *, trust_folder: Path | None = None) -> Self:
        """Wire the project at `root`; raises ConfigError for a trusted but wrong configuration."""
        root = root.resolve()
        if not root.is_dir():
            raise VetboxError(f"{root} is not a folder: name a project's root.")
        store = TrustStore(trust_folder)
        trusted = store.is_trusted(root, Part.CONFIG)
        config = load_config(root) if trusted else Config()
        return cls(root, config, store, AuditLog(root), trusted)

    @property
    def notices(self) -> tuple[str, ...]:
        """What the user should know about this project before it is served."""
        notice = None if self.trusted else untrusted_notice(self.root)
        return () if notice is None else (notice,)

    @once
    def rules(self) -> "RuleSet":
        """The shipped rules and the project's own, none of which is called like a shipped one.

        The shipped ones are what they are: models of the project's are for its own rules.
        """
        from vetbox.rule_files import RuleFiles
        from vetbox.rules import RuleError, RuleSet, load_rules, rules_in

        shipped = load_rules().rules
        own = [self.root / path for path in self.config.rules]
        for path in self.config.rules:
            taken = rules_in(RuleFiles.below([self.root / path], own)).rules.keys() & shipped.keys()
            if taken:
                sentence = "is a shipped rule's, whose place no other takes; choose another"
                raise RuleError([f"{path}: id: '{each}' {sentence}" for each in sorted(taken)])
        added = load_rules(*own, shipped=False).rules if own else {}
        return RuleSet.of([*shipped.values(), *added.values()])

    @once
    def judges(self) -> "Judges":
        """Workers that judge code by the shipped rules and the project's own."""
        from vetbox.run.judge import Judges

        return Judges([self.root / path for path in self.config.rules])

    @once
    def runner(self) -> "Runner":
        """What runs commands, with the packs this project may use."""
        from vetbox.run.approvals import Approvals
        from vetbox.run.runner import Runner

        approvals = Approvals.of(self.trust, self.root)
        return Runner(
            self.root,
            self.config,
            trusted=self.trusted,
            audit=self.audit,
            approvals=approvals,
            guard=self._still_trusted(),
            judges=self.judges,
        )

    def _still_trusted(self) -> Callable[[str], None]:
        """What packs of the project's own ask before they are used: it may have changed."""
        from vetbox.toolkit import ToolError

        standing = Standing(self.trust, self.root)

        def check(pack: str) -> None:
            try:
                standing.check(f"The pack '{pack}'")
            except NotTrusted as error:
                raise ToolError(str(error)) from None

        return check

    def close(self) -> None:
        """End the processes of those services that were made."""
        for name in ("judges", "runner"):
            if name in self.__dict__:
                getattr(self, name).close()
