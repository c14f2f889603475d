"""The API of this floor: views that parse a shape, call a service or a selector, and return one."""
