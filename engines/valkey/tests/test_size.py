"""A filter of many items at once: 50 million in the long form, its own hundredth part in the short one.

The server adds them itself, so that the test tells of the filter and not of the client."""

import random

import pytest

from servers import digest

WINDOW = 3_600_000
BEGAN = 1_700_000_000_000
BATCH = 5000

# Items first .. first + n - 1 at one time; how many of them are new.
ADD = """
local words, new = {}, 0
for i = tonumber(ARGV[1]), tonumber(ARGV[1]) + tonumber(ARGV[2]) - 1 do words[#words + 1] = 'item-' .. string.format('%d', i) end
for _, answer in ipairs(redis.call('LATELY.MADD', KEYS[1], 'AT', ARGV[3], 'ITEMS', unpack(words))) do new = new + answer end
return new
"""


@pytest.fixture
def big(serve):
    return serve("--lately.max-bytes-per-filter", "1gb")


@pytest.mark.parametrize("told", [False, True], ids=["grows", "told"])
def test_a_window_of_many_items(big, long, told):
    """None is missed, as many are called duplicates as was asked for, memory stays within the limit, a file gives it all back."""
    n, error = (50_000_000 if long else 500_000), 0.001
    client = big.client()
    client.execute_command("LATELY.RESERVE", "k", "WINDOW", WINDOW, "ERROR", error, "SEED", 1, *(["CAPACITY", n] if told else []))
    add = client.register_script(ADD)
    new = 0
    with client.pipeline(transaction=False) as pipe:
        for first in range(0, n, BATCH):
            add(keys=["k"], args=[first, BATCH, BEGAN + WINDOW * first // n], client=pipe)
            if len(pipe) == 100:
                new += sum(pipe.execute())
        new += sum(pipe.execute())
    # Every item is new except for the error: with probability 0.999 no more are called duplicates.
    assert n - new <= error * n + 3.1 * (error * n) ** 0.5, n - new
    assert client.execute_command("LATELY.INFO", "k", "reach-ms") == WINDOW, "nothing gave way"
    assert client.execute_command("MEMORY", "USAGE", "k") < 12 * n
    # The last half is within the window whatever comes: none of it is new.
    rng = random.Random(7)
    sample = [f"item-{rng.randrange(n // 2, n)}" for _ in range(20_000)]
    assert all(client.execute_command("LATELY.MEXISTS", "k", "AT", BEGAN + WINDOW, "ITEMS", *sample))
    before = digest(client, "k")
    client.save()
    big.restart()
    assert digest(big.client(), "k") == before
    assert sum(big.client().execute_command("LATELY.MADD", "k", "AT", BEGAN + WINDOW, "ITEMS", *sample)) == 0
