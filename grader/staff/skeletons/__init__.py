"""What is made: skeletons, which are cut out of the reference solutions, and what pages tell of labs."""
