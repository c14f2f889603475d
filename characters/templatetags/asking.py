"""Questions after a match, for pages of a character."""

from django import template
from django.template import Context

from characters import aftermath
from characters.aftermath import Prompt
from characters.models import Character
from matches.actors import actor_of

register = template.Library()


@register.simple_tag(takes_context=True)
def prompts_for(context: Context, character: Character) -> list[Prompt]:
    """Return the questions to the reader about a character."""
    return aftermath.prompts_of(actor_of(context["request"]), character)


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
