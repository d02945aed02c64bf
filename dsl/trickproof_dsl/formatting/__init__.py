"""Canonical formatting of files, rules and expressions; formatting preserves comments and the parsed tree."""
