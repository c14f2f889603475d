"""The API of this floor: views read a shape, call a service or selector, and answer a shape."""
