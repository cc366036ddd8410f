"""The templates of all pages: everything in a page is escaped, and a name that a template does not know is an error."""

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from pbmd.resources import folder


def page_templates() -> Environment:
    """A new environment, to which the names that pages use are added."""
    return Environment(
        loader=FileSystemLoader(folder("templates")),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
