"""One mail on its way into the outbox: draft, tags, rate limits, bytes; knows to whom it goes, not why."""
