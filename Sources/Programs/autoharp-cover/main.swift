// Decodes one picture for the screen or the library. A picture can be crafted by an attacker, and decoders are large C
// libraries. So this program gives up its rights before it reads the first byte. After that, it can only read the
// picture, use a limited amount of memory, and write the result.

runProgram()
