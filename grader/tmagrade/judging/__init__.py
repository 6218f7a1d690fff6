"""From a library to points: the judge is run, its verdicts are read, and the lab's points applied."""
