"""Pages, pictures and sheets made from a contest, in the user's language."""
