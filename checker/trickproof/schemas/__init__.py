"""JSON Schemas of everything printed as JSON, written by hand or derived from dataclasses."""
