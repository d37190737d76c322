// Fuzz target for the answers and signals of the library, which come from a process that reads untrusted tags. The
// fuzzer sends answers and signals over a real socket to `LibraryLink`, which receives them in the daemon. sd-bus
// refuses messages that are not valid D-Bus, so the fuzzer sends valid D-Bus values of any type. This file is compiled
// together with the sources of `LibraryExchange` and with files of its tests.

import Glibc

/// libFuzzer calls this with each input. Each step of an input is a byte that selects a question or a signal, and the
/// bytes of its values.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzLibrary(_ data: UnsafePointer<UInt8>?, _ size: Int) -> CInt {
  var input = FuzzInput([UInt8](UnsafeBufferPointer(start: data, count: size)))
  do { try FuzzedLink(in: folder).run(&input) } catch { fatalError("\(error)") }
  return 0
}

/// A folder for the socket. libFuzzer uses one thread.
private let folder: String = {
  var path = Array("/tmp/autoharp-fuzz-XXXXXX".utf8CString)
  require(mkdtemp(&path) != nil)
  return String(decoding: path.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
}()
