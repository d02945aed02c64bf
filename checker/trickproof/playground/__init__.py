"""The prover in a browser tab: what runs in the page's worker, and the builder of the static files."""
