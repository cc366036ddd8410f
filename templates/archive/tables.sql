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
CREATE TABLE orders (
  id INTEGER PRIMARY KEY, step INTEGER NOT NULL REFERENCES turns(step), seat TEXT NOT NULL REFERENCES seats(name),
  arrived_at TEXT NOT NULL, receipt INTEGER, state TEXT NOT NULL, line INTEGER, as_sent TEXT, status TEXT, message TEXT,
  as_understood TEXT
);
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
CREATE INDEX orders_step ON orders (step, seat);
CREATE INDEX events_step ON events (step, kind);
CREATE INDEX reports_step ON reports (step, seat);
CREATE VIEW numbers_of_seats AS
  SELECT turns.turn, turns.step, turns.name AS phase, numbers.label, numbers.seat, numbers.number
  FROM numbers JOIN turns USING (step) WHERE NOT turns.rolled_back ORDER BY turns.step, numbers.label, numbers.seat;
CREATE VIEW orders_used AS
  SELECT turns.turn, turns.step, orders.seat, orders.arrived_at, orders.line, orders.as_sent, orders.as_understood
  FROM orders JOIN turns USING (step) WHERE orders.state = 'used' AND NOT turns.rolled_back
  ORDER BY turns.step, orders.seat, orders.id;
