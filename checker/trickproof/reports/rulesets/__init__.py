"""Rulesets in words: tables, rule sheets, listings and source coverage."""
