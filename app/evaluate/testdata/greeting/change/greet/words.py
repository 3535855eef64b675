"""Makes greetings."""


def greet(name):
    """Return the greeting of a name."""
    return "hello, " + name + "!"
