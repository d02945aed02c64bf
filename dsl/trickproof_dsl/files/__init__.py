"""From YAML files to `RulesetFile` and `DocumentFile`, by tables of fields shared with the JSON Schemas."""
