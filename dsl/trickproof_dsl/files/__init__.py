"""YAML files to `RulesetFile` and `DocumentFile`: one table of fields a form, from which decoder and JSON Schema come."""
