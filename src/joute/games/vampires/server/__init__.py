"""The contest's server, spoken to over TCP."""
