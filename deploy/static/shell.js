// The shell's few comforts; every page works without them.

// A toast goes away where it stands instead of by loading the page again.
document.addEventListener("click", (event) => {
  const dismiss = event.target.closest("[data-dismiss]");
  if (!dismiss) return;
  event.preventDefault();
  dismiss.closest(".toast").remove();
});

// Buttons that print appear only where a script can.
for (const button of document.querySelectorAll("[data-print]")) {
  button.hidden = false;
  button.addEventListener("click", () => window.print());
}

// Buttons that copy a neighbour's text appear only where copying works.
for (const button of document.querySelectorAll("[data-copy]")) {
  if (!navigator.clipboard) continue;
  button.hidden = false;
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(document.getElementById(button.dataset.copy).textContent.trim());
    say("Copied");
  });
}

// Times are written in the server's zone; here they are the reader's, also those that come later.
const DAY = {day: "numeric", month: "short", year: "numeric"}, CLOCK = {hour: "2-digit", minute: "2-digit"};

function localTimes(part) {
  for (const time of part.querySelectorAll?.("time[data-local]") ?? []) {
    const then = new Date(time.dateTime);
    if (Number.isNaN(then.valueOf()) || time.title) continue;
    time.title = then.toUTCString();
    time.textContent = then.toLocaleString("en-GB", time.dataset.local === "clock" ? CLOCK : {...DAY, ...CLOCK});
  }
}

localTimes(document);
new MutationObserver((changes) => {
  for (const {addedNodes} of changes) for (const part of addedNodes) localTimes(part);
}).observe(document.body, {childList: true, subtree: true});

/** Say something in the toast region; it stays until the next one. */
export function say(text, kind = "") {
  const toast = document.createElement("div");
  toast.className = `toast ${kind}`;
  toast.textContent = text;
  document.getElementById("toasts").replaceChildren(toast);
}
