"""What an entry of the journal says: a type for each kind, with its public and its sealed part.

`kinds` has the types, `codec` reads and writes them, and `schema` makes what is published of them.
"""
