"""Is not on any page."""


def shout(name):
    return name.upper()
