"""Servers: for people in a browser, and for programs that bring a protocol of their own."""
