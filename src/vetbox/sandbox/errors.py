"""What can go wrong with the box itself; a program that fails inside it is a result instead."""

from vetbox.errors import VetboxError


class SandboxError(VetboxError):
    """The box could not run a program: nothing of the program took effect."""


class RuntimeMissingError(SandboxError, FileNotFoundError):
    """There is no interpreter at the path, and the sentence says how to get one."""

    def __str__(self) -> str:
        return str(self.args[0])


class RuntimeInstallError(SandboxError):
    """The interpreter could not be fetched, or what was fetched is not the pinned one."""


class SnapshotError(SandboxError):
    """The interpreter could not be turned into a snapshot."""


class PolicyError(SandboxError):
    """A policy file says something that a policy cannot say."""
