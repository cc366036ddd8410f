"""The book of a finished game, and the newspaper of one turn (the zine): made of an archive, typeset as PDF, EPUB and page."""
