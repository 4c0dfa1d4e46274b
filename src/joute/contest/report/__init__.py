"""A contest as it stands: standings, tables, plots, grades."""
