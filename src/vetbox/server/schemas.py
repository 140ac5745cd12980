"""JSON Schemas as every client understands them: one flat object, no references, no titles."""

from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel
from pydantic.json_schema import JsonSchemaMode

Schema = dict[str, Any]
POINTER = "#/$defs/"


def flat_schema(model: type[BaseModel], mode: JsonSchemaMode) -> Schema:
    """The schema of a model with its definitions written in place; models do not recurse."""
    schema = model.model_json_schema(mode=mode)
    definitions = schema.pop("$defs", {})
    flat: Schema = inlined(schema, definitions)
    return flat


def inlined(node: Any, definitions: Mapping[str, Any]) -> Any:
    match node:
        case {"$ref": str(pointer), **rest}:
            target = definitions[pointer.removeprefix(POINTER)]
            whole = {**target, **rest} if isinstance(target, dict) else target
            return inlined(whole, definitions)
        case {"properties": dict(properties), **rest}:
            fields = {name: inlined(value, definitions) for name, value in properties.items()}
            return {**untitled(rest, definitions), "properties": fields}
        case dict():
            return untitled(node, definitions)
        case list():
            return [inlined(item, definitions) for item in node]
        case _:
            return node


def untitled(node: Mapping[Any, Any], definitions: Mapping[str, Any]) -> Schema:
    """pydantic's titles only repeat the names of the fields."""
    # A discriminator's mapping points at definitions that are no longer there.
    dropped = ("title", "discriminator")
    return {key: inlined(value, definitions) for key, value in node.items() if key not in dropped}
