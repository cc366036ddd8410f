"""The book of a finished game, and the newspaper of one turn (the zine): made from an archive, typeset as PDF, EPUB or a web
page."""
