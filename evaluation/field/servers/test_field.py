"""The driver's own tests: `drive build` runs them."""

import unittest

from field import packed
from play import play
from rivals import SetNx, rivals
from stream import WORKLOADS, digest


class Streams(unittest.TestCase):
    def test_keys_seed_one_have_the_digest_of_the_other_languages(self):
        self.assertEqual(digest(WORKLOADS[0].keys(1)), "b44206624972d0e6")
        self.assertEqual(digest(WORKLOADS[3].keys(1)), "e74d251a5e807a4d")

    def test_packed_nine_verdicts_fill_two_bytes_from_the_lowest_bit(self):
        self.assertEqual(packed(bytearray([1, 0, 0, 0, 0, 0, 0, 1, 1])), b"\x81\x01")


class Runs(unittest.TestCase):
    def test_play_every_rival_misses_nothing(self):
        for rival in rivals():
            with self.subTest(rival.name):
                self.assertEqual(in_time(rival)["missed"], 0)

    def test_play_keys_that_expire_too_soon_are_missed(self):
        self.assertGreater(in_time(Hasty())["missed"], 0)


def in_time(rival):
    """The line of a run that is not late by more than an eighth of the window: on a busy machine it takes some tries."""
    workload = WORKLOADS[3] if rival.timed else WORKLOADS[0]
    for _ in range(20):
        line, _ = play(rival, workload, 1)
        if line["late_ns"] <= workload.window // 8:
            return line
    raise RuntimeError(f"the machine is too busy: {line}")


class Hasty(SetNx):
    """Its keys live for a twentieth of the window."""

    def start(self, client, workload):
        super().start(client, workload)
        self.after = self.after.replace(b"$3\r\n200\r\n", b"$2\r\n10\r\n")


if __name__ == "__main__":
    unittest.main()
