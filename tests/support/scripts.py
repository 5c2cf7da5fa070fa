"""What the script of a figure says, for tests of figures."""
import re

STRING = r"(?:T\()?'((?:[^']|'')*)'"  # the text that is shown; T has the one for LaTeX behind it


def panels(script):
    """Number of panels: each has a plot of its own, and the key has one without data."""
    return len(re.findall(r"(?m)^plot (?:DATA|NaN$|NaN, )", script))


def strings(script, before):
    """The strings after these words."""
    return [text.replace("''", "'") for text in re.findall(before + " " + STRING, script)]


def legend(script):
    """The entries of the key."""
    return [text.replace("''", "'") for text in re.findall(r"(?:ls \d+|[fl]c rgb \w+) title " + STRING, script)]


def levels(script):
    """The numbers of the bar of colours; the limit is bold."""
    line = re.search(r"(?m)set cbtics scale 0 \((.*)\)$", script)
    return [re.sub(r"\{/:Bold (.*)\}", r"\1", number) for number in re.findall(STRING + r"(?:, '[^']*'\))? \d+", line[1])] if line else []


def ranges(script, letter):
    """The ranges of an axis that are set, those of the first panel first."""
    return [(float(low), float(high)) for low, high in re.findall(rf"set {letter}range \[([^:]*):([^\]]*)\]", script)]
