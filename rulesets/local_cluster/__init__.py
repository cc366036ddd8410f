"""Local Cluster: nations act one after another on a map of 34 planets, with treaties by mail and NPC States."""
