"""From YAML files to `RulesetFile` and `DocumentFile`: each form has one table of fields, from which decoder
and JSON Schema derive.
"""
