"""Matches played in chunks, in this process, in others or on a cluster; what later runs need not compile again."""
