"""What readers get to see: a view made into text and HTML."""

from pbmd.reports.render import environment, report_html, report_text

__all__ = ["environment", "report_html", "report_text"]
