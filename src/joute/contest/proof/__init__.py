"""Proof that a contest's results are those of its records: what `joute verify` looks at."""
