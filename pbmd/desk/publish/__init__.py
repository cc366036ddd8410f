"""What goes out beside mail: pages, webhooks, stamps of outside services, and the alarm of a damaged ledger."""
