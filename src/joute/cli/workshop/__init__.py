"""The workshop's questions about Tron alone: how well does it fill a room, and where does it fail?"""
