"""The stream of a workload: the same records in every language, from a seed."""

import dataclasses

ALL = 2**64 - 1


@dataclasses.dataclass(frozen=True)
class Workload:
    """What a rival is asked to do. A window of zero nanoseconds is one of the last records."""

    name: str
    records: int  # of a window
    window: int
    span: int  # how far back a repeat reaches, in new keys
    warm: int
    counted: int

    @property
    def timed(self):
        return self.window > 0

    def tick(self, record):
        """The time of a record in nanoseconds."""
        return record * self.window // self.records

    def keys(self, seed):
        """The keys of all records, 8 bytes each."""
        return [self.key(seed, record).to_bytes(8, "little") for record in range(self.warm + self.counted)]

    def key(self, seed, record):
        """Every second record is a new key; the others repeat one of the last new keys."""
        if record % 2 == 0:
            return mixed(seed + record // 2)
        made = (record + 1) // 2
        back = mixed((seed ^ 0x5555555555555555) + record) >> 33
        return mixed(seed + made - 1 - back % min(made, self.span))


WORKLOADS = [
    Workload("last-2000", 2_000, 0, 1_000, 4_000, 20_000),
    Workload("last-50000", 50_000, 0, 25_000, 100_000, 2_000_000),
    Workload("last-1000000", 1_000_000, 0, 500_000, 2_000_000, 2_000_000),
    Workload("time-2000", 2_000, 200_000_000, 750, 4_000, 8_000),
    Workload("time-100000", 100_000, 4_000_000_000, 37_500, 200_000, 400_000),
]


def mixed(x):
    z = (x + 0x9E3779B97F4A7C15) & ALL
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & ALL
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & ALL
    return z ^ (z >> 31)


def digest(keys):
    value = 0
    for key in keys:
        value = ((value ^ int.from_bytes(key, "little")) * 0x100000001B3) & ALL
    return f"{value:016x}"
