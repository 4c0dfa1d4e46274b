"""Workers on other machines, through a Dask cluster: what they must be, what travels to them."""
