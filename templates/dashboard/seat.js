"use strict";
// Makes better what works without it: times by the reader's own clock, and orders that are checked as they are written.
(() => {
  const year = new Date().getFullYear();
  const how = { weekday: "short", day: "numeric", month: "short", hour: "2-digit", minute: "2-digit", timeZoneName: "short" };
  for (const time of document.querySelectorAll("time[datetime]")) {
    const at = new Date(time.dateTime);
    if (isNaN(at)) continue;
    time.title ||= time.textContent;
    time.textContent = at.toLocaleString(undefined, at.getFullYear() === year ? how : { ...how, year: "numeric" });
  }

  const form = document.querySelector("form[data-orders]");
  if (!form) return;
  const orders = form.querySelector("textarea"), busy = form.querySelector("[data-busy]");
  const checked = document.querySelector("#checked"), verdicts = checked.querySelector("[data-verdicts]");
  const sum = checked.querySelector("[data-sum]"), mail = document.querySelector("#mail"), body = document.querySelector("#body");
  const open = mail.querySelector("[data-open]"), long = mail.querySelector("[data-long]"), copy = document.querySelector("#copy");
  let waiting = 0, asked = 0, ended = false;

  const piece = (kind, name, text) => {
    const made = document.createElement(kind);
    made.className = name;
    made.textContent = text;
    return made;
  };
  const tell = (text) => verdicts.replaceChildren(...(text ? [piece("p", "", text)] : []));
  const show = (found) => {
    const list = piece("ul", "verdicts", "");
    for (const { state, text, message } of found.lines) {
      const line = piece("li", state, "");
      line.append(piece("span", "pill state", state), " ", piece("span", "line", text || "As a whole"));
      if (message) line.append(piece("span", "message", message));
      list.append(line);
    }
    tell(found.problem || (found.lines.length ? "" : "No line of it says anything yet."));
    verdicts.append(list);
    sum.textContent = found.summary;
    body.value = found.mail.text;
    mail.hidden = !found.mail.text || Boolean(form.querySelector("[formaction]"));
    open.hidden = !found.mail.url;
    long.hidden = Boolean(found.mail.url);
    open.textContent = found.lines.some(({ state }) => state === "refused") ? "Open the mail all the same" : "Open the mail to send them";
    if (found.mail.url) open.href = found.mail.url;
    if (found.mail.text && !found.mail.url) copy.open = true;
    checked.hidden = false;
  };
  const look = async () => {
    const mine = ++asked;
    try {
      const answer = await fetch("check", { method: "POST", body: new URLSearchParams({ orders: orders.value }) });
      if (mine !== asked) return;
      if (answer.status === 429) {
        busy.textContent = "Too many checks; the next in a few seconds.";
        waiting = setTimeout(look, 1000 * (Number(answer.headers.get("Retry-After")) || 5));
        return;
      }
      if (answer.status === 404) {
        ended = true; // asked again and again it would count as guessing
        busy.textContent = "The address of this page has ended; your next report has the new one. What you wrote can be copied.";
        return;
      }
      if (!answer.ok) throw new Error(String(answer.status));
      show(await answer.json());
      busy.textContent = "Checked.";
    } catch {
      if (mine === asked) busy.textContent = "They could not be checked just now. Check sends them again.";
    }
  };
  const soon = (after) => {
    clearTimeout(waiting);
    asked++;
    open.removeAttribute("href"); // what it opens is no longer what is written
    body.value = "";
    if (ended) return;
    busy.textContent = "Checking …";
    waiting = setTimeout(look, after);
  };
  orders.addEventListener("input", () => soon(700));
  form.addEventListener("submit", (event) => {
    if (event.submitter?.hasAttribute("formaction")) return; // sends them
    event.preventDefault();
    soon(0);
  });
  orders.setAttribute("aria-controls", "checked");
  if (checked.hidden) soon(0);
})();
