"""What goes out beside mail: pages, webhooks, archives that were asked for, and the alarm of a damaged ledger."""
