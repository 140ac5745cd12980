"""Required parts: what a part of a formula needs around what matches, or inside of it."""

from vetbox.rules.language import formula as f


def needed_by(part: f.Formula, kind: type[f.Inside | f.Has]) -> f.Formula | None:
    """What has to be around, or inside; of a choice of such all of that."""
    if isinstance(part, kind):
        return part.part
    if not isinstance(part, f.Any):
        return None
    needed = [_needed_in(one, kind) for one in part.parts]
    return f.Any(tuple(filter(None, needed))) if all(needed) else None


def _needed_in(choice: f.Formula, kind: type[f.Inside | f.Has]) -> f.Formula | None:
    """Of one that is made of several parts, all that one of them needs."""
    if not isinstance(choice, f.All):
        return needed_by(choice, kind)
    needed = tuple(one for part in choice.parts if (one := needed_by(part, kind)) is not None)
    return f.All(needed) if len(needed) > 1 else next(iter(needed), None)
