"""The public API of Joute as a library; `import joute` offers it, each part when it is used."""
