"""Adds numbers on the first GPU for SECONDS, by the driver alone."""
import sys
import time

from gpudriver import Driver

driver, end, rounds = Driver(b"6.3"), time.monotonic() + float(sys.argv[1]), 0
print("working", flush=True)
while rounds == 0 or time.monotonic() < end:
    driver.compute()
    rounds += 1
print("%d sums are right" % rounds)
