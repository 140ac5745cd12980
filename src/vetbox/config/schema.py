"""The JSON Schema of `.onetool/onetool.yaml`, for editors."""

from vetbox.config.model import Config

DIALECT = "https://json-schema.org/draft/2020-12/schema"


def published_schema() -> dict[str, object]:
    """What an editor checks and completes the file with; every section may be left out."""
    schema = Config.model_json_schema()
    return {"$schema": DIALECT, **schema, "title": "vetbox configuration (.onetool/onetool.yaml)"}
