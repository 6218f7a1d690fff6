"""What a class has handed in, in whatever form it comes: found, unpacked and recognized."""
