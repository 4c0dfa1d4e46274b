"""The workshop of a lone bike in a room."""
