"""Claims on the shards of lately_shards.py, made with LEASE: an item is stored when its work is done, and new again if it failed.

    with claim(server, "seen", 4, b"order-17") as order:
        if order.answer == 1:
            work()
            order.commit()
"""

import redis

from lately_shards import mark, shard_of


class Claim:
    """`answer` is 1 if the item is yours, 0 if it was seen, 2 if another works on it. The end of `with` abandons what is yours and
    was not committed."""

    def __init__(self, server, key, item, answer, token):
        self.server, self.key, self.item, self.answer, self.token = server, key, item, int(answer), token
        self.open = self.answer == 1

    def commit(self):
        """Stores the item: IN-TIME, LATE after the lease, or ALREADY where another stored it. One that failed changes nothing."""
        found = self.server.execute_command("LATELY.COMMIT", self.key, self.item, self.token)
        self.open = False
        return found

    def abandon(self):
        """The next claim of the item is 1. Does nothing to one that is not open."""
        if self.open:
            self.server.execute_command("LATELY.ABANDON", self.key, self.item, self.token)
        self.open = False

    def __enter__(self):
        return self

    def __exit__(self, kind, *_):
        try:
            self.abandon()
        except redis.RedisError:
            if kind is None:
                raise
            # What the block raised is what the caller must see. The lease ends the claim.


def claim(server, name, shards, item, old=None):
    """Claims an item, of bytes. While a filter grows from `old` shards, those are asked first: they know what is stored or claimed
    there. If it has grown since, the new shards are asked."""
    for of in [old, shards] if old else [shards]:
        key = f"{name}:{of}:{shard_of(item, of)}"
        try:
            return Claim(server, key, item, *server.execute_command("LATELY.CLAIM", key, item, "OF", of))
        except redis.ResponseError as refusal:
            if not str(refusal).startswith("GROWN "):
                raise
            grown = int(str(refusal).split()[1])
    mark(server, name, shards, grown)
    return claim(server, name, grown, item, shards)
