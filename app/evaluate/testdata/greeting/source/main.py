"""Prints a greeting."""
from greet.words import greet


def main():
    print(greet("you"))
