"""JSON Schemas of everything printed as JSON: hand-written shapes by command name, and schemas derived from
dataclasses.
"""
