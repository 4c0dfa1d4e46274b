"""Love Letter, for two to six players."""
