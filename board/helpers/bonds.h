// The codes that stand for bonded phones in saved logs.

#pragma once
#include <stdint.h>
#include <stdio.h>

// The folder in which bluetoothd keeps its bonds: ADAPTER/PHONE/info.
#define BONDS "/data/bluetooth"
// The length of an address as text, such as `AA:BB:CC:DD:EE:FF`.
#define ADDRESS_SIZE 17

// Computes the code of a phone (24 bits) from its address and from the keys of its bond. Without the keys the code
// cannot be computed. So after the bond is removed, nobody can find out which phone a code in a log means. A code
// reveals at most 24 bits of the keys, which have 128 bits. Returns 0, or -1 if the phone is not bonded.
//
// `bonds` is the folder of the bonds, or -1 if there is no such folder. `address` has upper-case letters and `:`, as
// bluetoothd writes it.
int bond_code(int bonds, const char *address, uint32_t *code);

// Writes a line for each bonded phone: its code, its address and its name.
void print_bond_codes(int bonds, FILE *output);
