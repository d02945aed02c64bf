"""JSON Schemas of everything that is printed as JSON: shapes by the name of the command, and the dataclasses of answers read as schemas."""
