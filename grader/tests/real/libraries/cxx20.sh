#!/bin/sh
# A compiler for C++20, whatever else it is told: torch's headers need that, and set-ups that are older ask for C++17.
exec g++ "$@" -std=c++20
