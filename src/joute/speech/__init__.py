"""What people read: sentences in their languages, and the course of a game in words."""
