"""Damaged copies of good bytes, the same on every run: what `HostileBytes` of the Swift tests does, number by number.

A fault that one of the two finds is found again by the other with the same seed; both are tested against the same digest.
"""
MASK = (1 << 64) - 1


class HostileBytes:
    """SplitMix64, and what is done to bytes with its numbers."""

    def __init__(self, seed):
        self.state = seed & MASK

    def below(self, limit):
        """The next number that is less than a limit."""
        self.state = (self.state + 0x9E3779B97F4A7C15) & MASK
        value = self.state
        value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9 & MASK
        value = (value ^ (value >> 27)) * 0x94D049BB133111EB & MASK
        return (value ^ (value >> 31)) % limit

    def damaged(self, content):
        """A copy that is cut, flipped in one to eight bits, grown, or has a run of bytes overwritten."""
        copy = bytearray(content)
        if not copy:
            return bytes(copy)
        kind = self.below(6)
        if kind == 0:
            del copy[len(copy) - 1 - self.below(len(copy)):]
        elif kind == 1:
            piece = copy[:self.below(len(copy))]
            place = self.below(len(copy))
            copy[place:place] = piece
        elif kind == 2:
            start = self.below(len(copy))
            any_value = self.below(256)
            value = (0, 0xFF, any_value)[self.below(3)]
            for index in range(start, min(len(copy), start + 1 + self.below(8))):
                copy[index] = value
        else:
            for _ in range(self.below(8) + 1):
                index = self.below(len(copy))
                copy[index] ^= 1 << self.below(8)
        return bytes(copy)

    def page_damaged(self, content, page=1024):
        """As `damaged`, but half of the time within one stretch of the bytes, and then often one of the first."""
        if len(content) <= page or self.below(2) == 0:
            return self.damaged(content)
        pages = len(content) // page
        start = page * self.below(min(pages, 8) if self.below(2) == 0 else pages)
        return content[:start] + self.damaged(content[start:start + page]) + content[start + page:]
