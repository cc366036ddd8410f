"""What is stored: tables, sessions, migrations, the journal. Knows nothing of mail servers and nothing of rules."""
