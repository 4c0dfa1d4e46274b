"""How positions and records look in a notebook."""
from html import escape
def position_html(position):
    return "<pre>" + escape(str(position)) + "</pre>"
