"""The sentences that people read, in their language: catalogs, numbers, plural forms."""
