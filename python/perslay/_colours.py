"""The colours of the kinds of diagrams, in plots and in notebooks."""

COLOURS = {
    "ord0": "#0072b2",
    "rel1": "#e69f00",
    "ext0": "#009e73",
    "ext1": "#d55e00",
    "sub0": "#0072b2",
    "sup0": "#e69f00",
    "sub1": "#d55e00",
    "h0": "#0072b2",
    "h1": "#d55e00",
}
"""Of kinds; chosen to be told apart by all readers."""
