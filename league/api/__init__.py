"""The API of this floor: views that read a shape, ask a service or a selector, and answer one."""
