"""Questions after a match, for pages of a character."""

from django import template

from characters.aftermath import Prompt

register = template.Library()


@register.filter
def open_ones(prompts: list[Prompt]) -> list[Prompt]:
    return [prompt for prompt in prompts if not prompt.aside]


@register.filter
def put_aside(prompts: list[Prompt]) -> list[Prompt]:
    return [prompt for prompt in prompts if prompt.aside]


@register.filter
def await_answer(prompts: list[Prompt] | None) -> set[str]:
    """Return the serials of slagged items that have yet to be dealt with."""
    return {prompt.item for prompt in prompts or [] if prompt.kind == "repair"}
