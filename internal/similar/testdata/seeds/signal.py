"""Smooths and counts what a sensor sends."""
import asyncio
import statistics
import struct


async def packets(reader):
    while True:
        head = await reader.read(3)
        if len(head) < 3:
            return
        kind, size = struct.unpack(">BH", head)
        body = await reader.readexactly(size)
        yield kind, body


def decode(kind, body):
    match kind:
        case 1:
            return struct.unpack(f">{len(body) // 2}h", body)
        case 2:
            return tuple(value / 16 for value in body)
        case _:
            raise ValueError("unknown packet %d" % kind)


class Smooth:
    def __init__(self, width):
        self.width = width
        self.values = []

    def feed(self, value):
        self.values.append(value)
        if len(self.values) > self.width:
            del self.values[0]
        return statistics.median(self.values)


class Peaks:
    def __init__(self, low, high):
        assert low < high
        self.low, self.high = low, high
        self.above = False
        self.count = 0

    def feed(self, value):
        if not self.above and value > self.high:
            self.above = True
            self.count += 1
        elif self.above and value < self.low:
            self.above = False
        return self.count


async def watch(host, port, width=5):
    reader, writer = await asyncio.open_connection(host, port)
    smooth, peaks = Smooth(width), Peaks(10, 40)
    broken = 0
    try:
        async for kind, body in packets(reader):
            try:
                values = decode(kind, body)
            except (ValueError, struct.error):
                broken += 1
                continue
            for value in values:
                peaks.feed(smooth.feed(value))
    finally:
        writer.close()
        await writer.wait_closed()
    return peaks.count, broken
