// Decodes one picture for the screen or the library. Pictures come from strangers, and a decoder has many lines of C.
// So this program gives up all rights before it reads the first byte: it can only read the picture, use a limited
// amount of memory, and write the result.

runProgram()
