"""The maker of the outlines of Diplomacy's standard map (see ``__main__``); no game needs it."""
