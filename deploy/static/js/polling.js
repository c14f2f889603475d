// What all pages that poll have in common.

/** Return a function that does `work` now; if it is being done, once more afterwards. */
export function oneAtATime(work) {
  let running = false, again = false;
  return async () => {
    again = true;
    if (running) return;
    running = true;
    while (again) {
      again = false;
      await work();
    }
    running = false;
  };
}
