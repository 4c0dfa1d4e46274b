"""What can be read off a contest beyond its standings: tables, comparisons, marks."""
