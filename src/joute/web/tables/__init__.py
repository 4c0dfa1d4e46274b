"""Games that people play in a browser: tables, who sits at them, and what each of them is sent."""
