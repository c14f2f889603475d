// Arrow keys in the grid: move the focus to the nearest half in that direction.

const WAYS = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1]};

/** Whether an element is visible, and so can be tapped and focused. */
export const visible = (element) => element.checkVisibility({visibilityProperty: true});

/** Move the focus from a half to its neighbour; false if the key or the focused element is not ours. */
export function moveFocus(root, key) {
  const [x, y] = WAYS[key] ?? [0, 0];
  const here = document.activeElement;
  if (!(x || y) || !(root.contains(here) || here === document.body)) return false;
  if (here.matches("select, [type=radio]") || document.querySelector(":popover-open")) return false;
  const halves = [...root.querySelectorAll(".lg-half, [data-first]")].filter(visible);
  if (!halves.includes(here)) {
    halves[0]?.focus();
    return halves.length > 0;
  }
  const from = centre(here);
  let best = null;
  for (const half of halves) {
    const to = centre(half);
    const [along, aside] = x ? [x * (to.x - from.x), to.y - from.y] : [y * (to.y - from.y), to.x - from.x];
    const far = along + 3 * Math.abs(aside);
    if (along > 4 && (!best || far < best.far)) best = {half, far};
  }
  best?.half.focus();
  return true;
}

function centre(element) {
  const box = element.getBoundingClientRect();
  return {x: box.x + box.width / 2, y: box.y + box.height / 2};
}
