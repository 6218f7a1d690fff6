"""`make trace`: what a part of a lab does on the emulator, as a trace for Perfetto and as a page with one CTA.

part_kernels.py knows which kernels belong to a part; trace.py runs the lab's program and keeps the part's launches;
one_cta.py picks the CTA to show; page.py draws it.
"""
