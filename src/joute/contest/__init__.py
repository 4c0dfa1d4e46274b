"""Contests: configuration, schedules, runs, rankings, ratings, reports, seals and proofs."""
