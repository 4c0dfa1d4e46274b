"""The addresses of the web application: a module per page or family of pages.

Each has a `router`; one that keeps something for all requests has `prepare(app)`, called once when
the application is made, and `close(app)`, called when it ends.
"""
