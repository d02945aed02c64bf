"""Playing matches in chunks, in this process, in others or on a cluster; and the cache of compiled programs."""
