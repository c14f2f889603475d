"""Redis as an optional cache: while it is down, each process uses a memory of its own."""

from collections.abc import Callable
from typing import Any

from django.core.cache.backends.locmem import LocMemCache
from django.core.cache.backends.redis import RedisCache
from redis.exceptions import RedisError

from matches.breaker import Breaker

breaker = Breaker("cache", (RedisError,))


def _or_own(name: str) -> Callable[..., Any]:
    """Return a cache method that uses Redis, or this process's memory while Redis is down."""
    ask = getattr(RedisCache, name)

    def method(self: "OptionalRedisCache", *args: Any, **named: Any) -> Any:
        return breaker.call(
            lambda: ask(self, *args, **named),
            otherwise=lambda: getattr(self.own, name)(*args, **named),
        )

    return method


class OptionalRedisCache(RedisCache):
    """While Redis is down, each process counts rates alone, and cached values are recomputed."""

    def __init__(self, server: str, params: dict[str, Any]) -> None:
        super().__init__(server, params)
        self.own = LocMemCache("while Redis is away", {**params, "OPTIONS": {}})

    add = _or_own("add")
    get = _or_own("get")
    set = _or_own("set")
    touch = _or_own("touch")
    delete = _or_own("delete")
    get_many = _or_own("get_many")
    has_key = _or_own("has_key")
    incr = _or_own("incr")
    set_many = _or_own("set_many")
    delete_many = _or_own("delete_many")
    clear = _or_own("clear")
