"""Damaged and hostile files: nothing but clean messages may come out."""
