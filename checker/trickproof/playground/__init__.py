"""The prover in a browser tab: what answers the page in its worker, and the folder of static files that holds it all."""
