"""Every way to cheat that a host with all keys has, carried out on a played game, and who notices."""
