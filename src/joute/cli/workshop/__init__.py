"""The workshop's questions about Tron alone: how far does a bot fill a room, where does it fail?"""
