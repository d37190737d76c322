import Glibc

exit(runProgram())
