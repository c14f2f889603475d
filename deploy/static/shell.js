// The shell's few comforts; every page works without them.

// A toast goes away where it stands instead of by loading the page again.
document.addEventListener("click", (event) => {
  const dismiss = event.target.closest("[data-dismiss]");
  if (!dismiss) return;
  event.preventDefault();
  dismiss.closest(".toast").remove();
});

// Buttons that copy a neighbour's text appear only where copying works.
for (const button of document.querySelectorAll("[data-copy]")) {
  if (!navigator.clipboard) continue;
  button.hidden = false;
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(document.getElementById(button.dataset.copy).textContent.trim());
    say("Copied");
  });
}

// Times are written in the server's zone; here they are the reader's.
for (const time of document.querySelectorAll("time[datetime][data-local]")) {
  const then = new Date(time.dateTime);
  if (Number.isNaN(then.valueOf())) continue;
  time.title = time.textContent;
  time.textContent = then.toLocaleString(undefined, {dateStyle: "medium", timeStyle: "short"});
}

/** Say something in the toast region; it stays until the next one. */
export function say(text, kind = "") {
  const toast = document.createElement("div");
  toast.className = `toast ${kind}`;
  toast.textContent = text;
  document.getElementById("toasts").replaceChildren(toast);
}
