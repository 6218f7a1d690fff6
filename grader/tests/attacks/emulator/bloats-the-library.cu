// Has the assembler write a library of 16 GiB.
//
// Fails: the size of files is limited.
asm(".pushsection .data\n.skip 0x100000000, 1\n.skip 0x100000000, 2\n.popsection");

void launch_reverse_tile(int*, const int*, int) {}
