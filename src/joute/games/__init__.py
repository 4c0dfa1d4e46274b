"""The games that come with Joute. Nothing below this layer knows one of them by name."""
