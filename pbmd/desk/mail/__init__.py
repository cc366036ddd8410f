"""One mail on its way into the outbox: draft, tags, brakes, bytes; knows to whom it goes, not why."""
