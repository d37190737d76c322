import Files
import Glibc

/// The words of the command line, without the program's name. `CommandLine.arguments` is not used, because it replaces
/// bytes that are not UTF-8. So files whose names contain such bytes could not be found.
func programArguments() -> [String] {
  (1..<max(1, Int(CommandLine.argc))).compactMap { CommandLine.unsafeArgv[$0] }.map {
    FileName.text(UnsafeRawBufferPointer(start: $0, count: strlen($0)))
  }
}
