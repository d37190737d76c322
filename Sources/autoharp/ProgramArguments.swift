import Glibc
import LocalPlayer

/// The words of the command line, without the program's name. `CommandLine.arguments` would repair
/// names that are no UTF-8, and the files would never be found.
///
/// Not in main.swift: a closure there belongs to the main actor, whose run-time check would link
/// Dispatch.
func programArguments() -> [String] {
  (1..<max(1, Int(CommandLine.argc))).compactMap { CommandLine.unsafeArgv[$0] }.map {
    FileName.text(UnsafeRawBufferPointer(start: $0, count: strlen($0)))
  }
}
