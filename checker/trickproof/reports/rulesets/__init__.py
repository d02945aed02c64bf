"""Rulesets in words: tables, rule sheets, listings, and what became of the documents they rest on."""
