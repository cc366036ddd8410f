"use strict";
// Makes better what works without it: countdowns, the slider of maps, the filter of the log.
(() => {
  const units = [[86400, " days"], [3600, " h"], [60, " min"], [1, " s"]];
  const length = (seconds) => {
    const parts = [];
    for (const [size, name] of units) {
      if (parts.length === 2 || (size === 1 && parts.length)) break;
      const count = Math.floor(seconds / size);
      seconds -= count * size;
      if (count) parts.push(count + (count === 1 && size === 86400 ? " day" : name));
    }
    return parts.join(" ") || "0 s";
  };
  const count = () => {
    for (const shown of document.querySelectorAll("[data-countdown]")) {
      const left = (Date.parse(shown.dataset.countdown) - Date.now()) / 1000;
      const told = left <= 0 ? length(-left) + " ago" : "since" in shown.dataset ? "just now" : "in " + length(left);
      shown.textContent = (shown.dataset.since || "") + told;
      shown.classList.toggle("past", left <= 0 && !("since" in shown.dataset));
      shown.classList.toggle("soon", left > 0 && left < 6 * 3600);
    }
  };
  count();
  setInterval(count, 10000);

  // The clock of whoever reads it, too.
  const here = new Intl.DateTimeFormat("en-GB", { weekday: "short", day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" });
  for (const time of document.querySelectorAll("time[title]")) {
    time.title += "; for you " + here.format(new Date(time.dateTime)) + " (" + here.resolvedOptions().timeZone + ")";
  }

  for (const box of document.querySelectorAll("[data-maps]")) {
    const maps = box.querySelector(".maps"), slider = box.querySelector(".slider");
    const range = slider.querySelector("input"), play = slider.querySelector("button");
    const figures = [...maps.querySelectorAll("figure")];
    let playing = 0;
    const show = (place) => {
      figures.forEach((figure, number) => figure.classList.toggle("shown", number === place));
      range.value = place;
      range.setAttribute("aria-valuetext", figures[place].dataset.words);
    };
    const stop = () => { clearInterval(playing); playing = 0; play.textContent = "Play"; };
    const chosen = () => figures.findIndex((figure) => "#" + figure.id === location.hash);
    maps.classList.add("sliding");
    slider.hidden = false;
    range.max = figures.length - 1;
    show(chosen() < 0 ? figures.length - 1 : chosen());
    range.addEventListener("input", () => { stop(); show(+range.value); });
    addEventListener("hashchange", () => { if (chosen() >= 0) { stop(); show(chosen()); } });
    play.addEventListener("click", () => {
      if (playing) return stop();
      if (+range.value === figures.length - 1) show(0);
      play.textContent = "Stop";
      playing = setInterval(() => (+range.value < figures.length - 1 ? show(+range.value + 1) : stop()), 900);
    });
  }

  for (const filter of document.querySelectorAll("[data-filter]")) {
    const rows = [...document.querySelectorAll("#" + filter.dataset.filter + " tbody tr")];
    const words = filter.querySelector("input"), kind = filter.querySelector("select"), told = filter.querySelector("output");
    const kinds = [...new Set(rows.map((row) => row.querySelector(".what").textContent.trim()))].sort();
    for (const name of kinds) kind.add(new Option(name, name));
    const choose = () => {
      const wanted = words.value.trim().toLowerCase();
      let found = 0;
      for (const row of rows) {
        const fits = (!kind.value || row.querySelector(".what").textContent.trim() === kind.value)
          && (!wanted || row.textContent.toLowerCase().includes(wanted));
        row.hidden = !fits;
        found += fits;
      }
      told.textContent = wanted || kind.value ? found + " of " + rows.length : "";
    };
    filter.hidden = false;
    words.addEventListener("input", choose);
    kind.addEventListener("change", choose);
  }

  // A page left open shows what is new; not while somebody reads it with a script's help or a keyboard.
  if (document.body.dataset.refresh) {
    setInterval(() => {
      const busy = document.activeElement !== document.body || document.querySelector("details[open]");
      if (!document.hidden && !busy) location.reload();
    }, 60000);
  }
})();
