// The scrubber: step, slide and play through the moments of a match, which live.js shows.

import {say} from "../shell.js";
import {word} from "./words.js";

const scene = document.getElementById("scene");
const scrubber = document.getElementById("scrubber");
const way = document.getElementById("way");
const find = (what) => scrubber.querySelector(what);
const play = find("[data-play]");
const share = find("[data-share]");
const PACE = 1500; // ms per act at speed 1

let playing = 0;

const last = () => Number(scene.dataset.last);
const at = () => Number(scene.dataset.at || last());
const clamp = (version) => Math.min(Math.max(version, 1), last());

/** Return the versions a step may go to: every entry, or those that begin a pulse or a turn. */
function starts() {
  const track = document.getElementById("part-track").dataset;
  const unit = find("[data-unit]").value;
  return unit === "act" ? null : (unit === "turn" ? track.turns : track.pulses).split(" ").map(Number);
}

function step(towards) {
  const places = starts();
  if (!places) return clamp(at() + towards);
  if (towards > 0) return places.find((version) => version > at()) ?? last();
  return places.findLast((version) => version < at()) ?? 1;
}

function go(version) {
  if (version !== at()) scene.dispatchEvent(new CustomEvent("moment", {detail: version}));
}

const ways = {first: () => 1, prev: () => step(-1), next: () => step(1), last};

function stop() {
  clearTimeout(playing);
  playing = 0;
  play.setAttribute("aria-pressed", false);
}

function toggle() {
  if (playing) return stop();
  start(at() === last() ? 1 : step(1));
}

function start(version) {
  play.setAttribute("aria-pressed", true);
  tick(version);
}

function tick(version) {
  go(version);
  playing = setTimeout(goOn, PACE / Number(find("[data-speed]").value));
}

/** Play on after a moment; one that is still loading is waited for. */
function goOn() {
  if ("wanted" in scene.dataset) tick(Number(scene.dataset.wanted));
  else if (at() === last()) stop();
  else tick(step(1));
}

/** Return the URL of a moment, from the same viewpoint. */
function address(version) {
  const query = new URLSearchParams();
  if (version !== last()) query.set("at", version);
  if (scene.dataset.as) query.set("as", scene.dataset.as);
  return `${query}` ? `?${query}` : location.pathname;
}

/** Update the controls and the address bar to the moment shown. */
function update() {
  way.max = find("#goto").max = last();
  way.value = at();
  way.setAttribute("aria-valuetext", word("{at} of {last}", {at: at(), last: last()}));
  const [here, was] = [new URL(address(at()), location), new URLSearchParams(location.search)];
  const moved = ["at", "as"].some((name) => here.searchParams.get(name) !== was.get(name));
  if (moved) history.replaceState(null, "", here); // else what is asked for beside, and what is named after #, stays
  share.setAttribute("href", `?at=${at()}`);
  for (const link of scrubber.querySelectorAll("[data-go]")) {
    const version = ways[link.dataset.go]();
    link.setAttribute("href", address(version));
    link.setAttribute("aria-disabled", version === at());
  }
}

const told = share.querySelector("span");
const ASKS = told.textContent;

/** Share the moment as the device does, or copy its address where it has no way of its own. */
async function hand() {
  if (navigator.share) return navigator.share({url: share.href});
  await navigator.clipboard.writeText(share.href);
  told.textContent = word("Link copied");
  setTimeout(() => (told.textContent = ASKS), 2000);
}

/** Return the version that a link on this page leads to, or 0. */
function target(link) {
  if (link.dataset.go) return ways[link.dataset.go]();
  if (link.pathname !== location.pathname || !link.search || "load" in link.dataset) return 0;
  return Number(new URLSearchParams(link.search).get("at"));
}

scene.addEventListener("click", (event) => {
  const link = event.target.closest("a");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
  if (link === share) {
    if (!navigator.share && !navigator.clipboard) return;
    event.preventDefault();
    hand().catch(({name}) => name === "AbortError" || say(share.href)); // to be copied by hand
    return;
  }
  const version = target(link);
  if (!version || !scene.contains(link)) return;
  event.preventDefault();
  stop();
  if (link.getAttribute("aria-disabled") === "true") return;
  go(version);
  if (!scrubber.contains(link)) document.getElementById("part-score").scrollIntoView({block: "nearest"});
});

way.addEventListener("input", () => {
  stop();
  go(Number(way.value));
});

find(".goto").addEventListener("submit", (event) => {
  event.preventDefault();
  stop();
  go(clamp(Number(find("#goto").value)));
});

play.addEventListener("click", toggle);

document.querySelector("[data-replay]")?.addEventListener("click", (event) => {
  event.preventDefault();
  stop();
  start(1);
  document.getElementById("part-score").scrollIntoView({block: "nearest"});
});
find("[data-unit]").addEventListener("change", update);

const unit = (value) => {
  if (!find(`[data-unit] [value=${value}]`)) return; // a game without pulses
  find("[data-unit]").value = value;
  update();
};
const KEYS = {
  ArrowLeft: () => go(step(-1)), ArrowRight: () => go(step(1)),
  Home: () => go(1), End: () => go(last()),
  a: () => unit("act"), p: () => unit("pulse"), t: () => unit("turn"),
  k: toggle, s: () => share.click(),
  "?": () => {
    find(".more").open = true;
    find(".keys").open = !find(".keys").open;
  },
};

const wide = matchMedia("(min-width: 48rem)");

scrubber.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && find(".more").open && !wide.matches) { // there it lies over the page
    find(".more").open = false;
    find(".more > summary").focus();
  }
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches("select, #goto")) return;
  const act = KEYS[event.key];
  if (!act) return;
  event.preventDefault();
  if (event.key !== "k") stop();
  act();
});

scene.addEventListener("shown", update);
document.addEventListener("visibilitychange", () => document.hidden && stop());
scrubber.classList.add("alive");
find(".more").open = wide.matches; // on a phone it is one tap away
if (document.getElementById("part-track").dataset.turns === "1") find("[data-unit] [value=turn]").hidden = true;
update();
