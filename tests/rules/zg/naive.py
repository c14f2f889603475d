"""A second implementation of the test, written from the rulebook and independent of the first.

Dots are read letter by letter, and blazes are removed from a list one by one.
"""


def naive_compare(
    attack: str,
    target: str,
    *,
    card_tests: bool = False,
    strict_time_order: bool = False,
    ap_not_consumed: bool = False,
    augments: tuple[int, ...] = (),
    bolsters: tuple[int, ...] = (),
) -> tuple[int, int, str]:
    """Return matches, strikes and the outcome."""
    pairs = list(zip(attack.split(), target.split(), strict=True))
    matches = [a[0] == t[0] for a, t in pairs]
    strikes = 0
    for number, (a, t) in enumerate(pairs, 1):
        offence = list(a[1:]) + ["+" for place in augments if place == number]
        defence = list(t[1:]) + ["#" for place in bolsters if place == number]
        strikes += _strikes(a[0], t[0], offence, defence, card_tests, ap_not_consumed)
    if strict_time_order and not any(matches):
        strikes = 0
    return sum(matches), strikes, _outcome(sum(matches), strikes)


def _strikes(
    attacking: str,
    facing: str,
    offence: list[str],
    defence: list[str],
    card_tests: bool,
    ap_not_consumed: bool,
) -> int:
    # A weak point always gives way to an explosive, armour or not.
    blown_up = "o" in defence and "*" in offence
    if attacking != facing:
        return 1 if blown_up else 0
    arrows, plates = list(filter("+".__eq__, offence)), list(filter("#".__eq__, defence))
    used = 0
    while plates and used < len(arrows):
        plates.pop()
        used += 1
    covered = bool(plates)
    free = len(arrows) if ap_not_consumed else len(arrows) - used
    run_through = "o" in defence and not covered and free > 0
    if not card_tests:
        if run_through:
            return 2
        return 1 if blown_up or not covered else 0
    strikes = 0
    if not covered or blown_up:
        strikes += 1
    if run_through:
        strikes += 2
    elif blown_up:
        strikes += 1
    return strikes


def _outcome(matches: int, strikes: int) -> str:
    if strikes >= 4:
        return "slag-stun-again"
    if strikes == 3:
        return "slag-again"
    if strikes == 2:
        return "slag"
    if strikes == 1:
        return "targetlock"
    return "blocked" if matches else "miss"
