"""Damaged and hostile files: the only output may be clean messages."""
