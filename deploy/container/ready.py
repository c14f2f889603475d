"""Ends well when the web process of this container can serve: its health check."""

from urllib.request import urlopen

urlopen("http://127.0.0.1:8000/readyz", timeout=8)
