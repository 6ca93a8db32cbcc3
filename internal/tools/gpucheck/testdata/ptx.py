"""Brings PTX of an ISA that no driver knows yet, as a program made with a newer CUDA does."""
from gpudriver import Driver

Driver(b"99.0").compute()
