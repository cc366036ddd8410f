-- The tables of game.sqlite. Times are UTC, in ISO 8601; JSON documents are text.
CREATE TABLE game (
  name TEXT PRIMARY KEY, ruleset TEXT NOT NULL, title TEXT NOT NULL, status TEXT NOT NULL, view TEXT NOT NULL,
  created_at TEXT NOT NULL, resolved_steps INTEGER NOT NULL, winners TEXT, reason TEXT,
  options TEXT NOT NULL, terms TEXT NOT NULL, journal_entries INTEGER NOT NULL, journal_head TEXT NOT NULL
);
CREATE TABLE seats (
  number INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, state TEXT NOT NULL, holder TEXT, timezone TEXT, setup TEXT
);
CREATE TABLE turns (
  step INTEGER PRIMARY KEY, turn INTEGER NOT NULL, name TEXT, folder TEXT NOT NULL UNIQUE, rolled_back INTEGER NOT NULL,
  resolved_at TEXT, cause TEXT, secret TEXT, dice TEXT
);
CREATE TABLE reports (
  id INTEGER PRIMARY KEY, step INTEGER NOT NULL REFERENCES turns(step), seat TEXT REFERENCES seats(name), text TEXT NOT NULL
);
-- A letter with orders.
CREATE TABLE sheets (
  id INTEGER PRIMARY KEY, step INTEGER NOT NULL REFERENCES turns(step), seat TEXT NOT NULL REFERENCES seats(name),
  arrived_at TEXT NOT NULL, receipt INTEGER, state TEXT NOT NULL
);
-- Its lines as they were sent, and what came of each; line 0 is the letter as a whole.
CREATE TABLE orders (
  id INTEGER PRIMARY KEY, sheet INTEGER NOT NULL REFERENCES sheets(id), line INTEGER NOT NULL, as_sent TEXT NOT NULL,
  status TEXT NOT NULL, message TEXT NOT NULL
);
-- All of it as the rules understood it, in the order that they gave it: place 1 need not be what was sent first.
CREATE TABLE understood (
  sheet INTEGER NOT NULL REFERENCES sheets(id), place INTEGER NOT NULL, line TEXT NOT NULL,
  PRIMARY KEY (sheet, place)
) WITHOUT ROWID;
CREATE TABLE events (
  id INTEGER PRIMARY KEY, step INTEGER NOT NULL REFERENCES turns(step), place INTEGER NOT NULL, kind TEXT NOT NULL,
  audience TEXT, data TEXT NOT NULL, detail TEXT
);
CREATE TABLE numbers (
  step INTEGER NOT NULL REFERENCES turns(step), label TEXT NOT NULL, seat TEXT NOT NULL, number NUMERIC NOT NULL,
  PRIMARY KEY (step, label, seat)
) WITHOUT ROWID;
CREATE TABLE journal (
  number INTEGER PRIMARY KEY, at TEXT NOT NULL, kind TEXT NOT NULL, public TEXT, sealed TEXT, secret TEXT, hash TEXT
);
CREATE INDEX sheets_step ON sheets (step, seat);
CREATE INDEX orders_sheet ON orders (sheet);
CREATE INDEX events_step ON events (step, kind);
CREATE INDEX reports_step ON reports (step, seat);
CREATE VIEW numbers_of_seats AS
  SELECT turns.turn, turns.step, turns.name AS phase, numbers.label, numbers.seat, numbers.number
  FROM numbers JOIN turns USING (step) WHERE NOT turns.rolled_back ORDER BY turns.step, numbers.label, numbers.seat;
CREATE VIEW orders_sent AS
  SELECT turns.turn, turns.step, sheets.seat, sheets.arrived_at, sheets.receipt, sheets.state, orders.line, orders.as_sent,
    orders.status, orders.message
  FROM orders JOIN sheets ON sheets.id = orders.sheet JOIN turns USING (step) ORDER BY turns.step, sheets.id, orders.id;
CREATE VIEW orders_used AS
  SELECT turns.turn, turns.step, sheets.seat, sheets.arrived_at, sheets.receipt, understood.place, understood.line AS understood
  FROM understood JOIN sheets ON sheets.id = understood.sheet JOIN turns USING (step)
  WHERE sheets.state = 'used' AND NOT turns.rolled_back ORDER BY turns.step, sheets.seat, sheets.id, understood.place;
