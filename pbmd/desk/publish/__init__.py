"""What goes out beside mail: pages, webhooks, and the alarm of a damaged ledger."""
