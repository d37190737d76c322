import Files
import Glibc

/// The words of the command line, without the program's name. `CommandLine.arguments` would repair
/// names that are no UTF-8, and the files would never be found.
func programArguments() -> [String] {
  (1..<max(1, Int(CommandLine.argc))).compactMap { CommandLine.unsafeArgv[$0] }.map {
    FileName.text(UnsafeRawBufferPointer(start: $0, count: strlen($0)))
  }
}
