"use strict";
// Makes better what works without it: the slider of maps, the search, and reports that open when a link leads to them.
(() => {
  const opened = () => {
    const target = location.hash.length > 1 && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (target) for (const part of target.querySelectorAll("details")) part.open = true;
  };
  opened();
  addEventListener("hashchange", opened);

  const box = document.getElementById("map-box");
  if (box) {
    const steps = box.dataset.maps.split(";").map((each) => each.split("|"));
    const slider = box.querySelector(".slider"), range = slider.querySelector("input"), told = slider.querySelector("output");
    const play = slider.querySelector("button"), reader = document.getElementById("map-reader");
    const image = box.querySelector("img"), link = box.querySelector("figure a"), caption = box.querySelector("figcaption");
    let playing = 0;
    const show = (place) => {
      const [folder, words, names] = steps[place], drawn = names.split(" ");
      const wanted = reader ? reader.value : drawn[0];
      const file = "turns/" + folder + "/maps/" + (drawn.includes(wanted) ? wanted : drawn[0]) + ".svg";
      image.src = link.href = file;
      image.alt = "Map, " + words + "; the report has the same in words.";
      told.textContent = caption.textContent = words[0].toUpperCase() + words.slice(1);
      range.value = place;
      range.setAttribute("aria-valuetext", words);
    };
    const stop = () => { clearInterval(playing); playing = 0; play.textContent = "Play"; };
    slider.hidden = false;
    if (reader) reader.parentElement.hidden = false;
    show(steps.length - 1);
    range.addEventListener("input", () => { stop(); show(+range.value); });
    if (reader) reader.addEventListener("change", () => show(+range.value));
    play.addEventListener("click", () => {
      if (playing) return stop();
      if (+range.value === steps.length - 1) show(0);
      play.textContent = "Stop";
      playing = setInterval(() => (+range.value < steps.length - 1 ? show(+range.value + 1) : stop()), 900);
    });
  }

  const form = document.getElementById("search-form");
  if (form) {
    const most = 60, words = document.getElementById("search-words");
    const told = document.getElementById("search-count"), list = document.getElementById("search-found");
    const loaded = new Map(), letters = new Map(), texts = new Map();
    let documents = [], known = [], asked = 0;
    const load = (name) => {
      if (!loaded.has(name)) loaded.set(name, new Promise((resolve) => {
        const script = document.createElement("script");
        script.src = "assets/search/" + name + ".js";
        script.onload = script.onerror = resolve;
        document.head.append(script);
      }));
      return loaded.get(name);
    };
    window.pbmdDocuments = (given, all) => { documents = given; known = all; };
    window.pbmdWords = (letter, given) => { letters.set(letter, given); };
    window.pbmdTexts = (given) => { for (const [place, text] of Object.entries(given)) texts.set(+place, text); };
    const letterOf = (word) => word.codePointAt(0).toString(16);
    const standing = (begin) => {
      const found = new Set();
      for (const [word, steps] of Object.entries(letters.get(letterOf(begin)) || {})) {
        if (!word.startsWith(begin)) continue;
        let at = 0;
        for (const step of steps) found.add(at += step);
      }
      return found;
    };
    // What stands around the first word that begins so, if there is such a place near all the others.
    const context = (place, wanted) => {
      const text = (texts.get(place) || "").replace(/\s+/g, " "), small = text.toLowerCase();
      const line = document.createElement("p");
      let at = -1;
      for (let next = small.indexOf(wanted[0]); next >= 0; next = small.indexOf(wanted[0], next + 1)) {
        if (next > 0 && /[\p{L}\p{N}]/u.test(small[next - 1])) continue;
        const near = small.slice(Math.max(next - 60, 0), next + 140);
        if (at < 0) at = next;
        if (wanted.every((word) => near.includes(word))) { at = next; break; }
      }
      if (at < 0 || small.length !== text.length) return line;
      const from = at < 60 ? 0 : text.indexOf(" ", at - 60) + 1 || at, to = Math.min(text.length, at + 140);
      const end = to < text.length ? Math.max(text.lastIndexOf(" ", to), at + wanted[0].length) : to;
      const mark = document.createElement("mark");
      mark.textContent = text.slice(at, at + wanted[0].length);
      line.append((from ? "… " : "") + text.slice(from, at), mark, text.slice(at + wanted[0].length, end) + (end < text.length ? " …" : ""));
      return line;
    };
    const search = async () => {
      const now = ++asked, wanted = words.value.toLowerCase().match(/[\p{L}\p{N}]{2,40}/gu) || [];
      await load("documents");
      await Promise.all(wanted.map(letterOf).filter((letter) => known.includes(letter)).map(load));
      if (now !== asked) return;
      let found = null;
      for (const word of wanted) {
        const here = standing(word);
        found = found === null ? here : new Set([...found].filter((each) => here.has(each)));
      }
      const places = [...(found || [])].sort((one, other) => one - other), first = places.slice(0, most);
      await Promise.all([...new Set(first.map((place) => "t" + documents[place][2]))].map(load));
      if (now !== asked) return;
      list.hidden = !first.length;
      list.replaceChildren(...first.map((place) => {
        const [title, page] = documents[place], item = document.createElement("li"), link = document.createElement("a");
        link.href = "assets/turns/" + page + (page.includes("#") ? "" : "#") + ":~:text=" + encodeURIComponent(wanted[0]);
        link.textContent = title;
        item.append(link, context(place, wanted));
        return item;
      }));
      told.textContent = !wanted.length ? "" : places.length > most ? "the first " + most + " of " + places.length : places.length + " found";
    };
    form.hidden = false;
    form.addEventListener("submit", (event) => { event.preventDefault(); search(); });
    words.addEventListener("input", search);
  }
})();
