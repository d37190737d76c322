// Fuzz target for the files that the unit stores: the state, the queue, the recent lists, playlists, the settings of
// the driver, and the slots with their checksums. For slots, an input contains the contents of the slots without
// checksums. This file is compiled together with the sources of UnitState and Settings, and with the checks of
// DaemonTests.

/// libFuzzer calls this with each input. The first byte selects the kind of file.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzStoredFiles(_ data: UnsafePointer<UInt8>?, _ size: Int) -> CInt {
  let input = UnsafeBufferPointer(start: data, count: size)
  guard let first = input.first, let kind = StoredFileCheck(rawValue: first) else { return -1 }
  do throws(StoredFileCheck.Fault) {
    try kind.check(Array(input.dropFirst()))
  } catch {
    fatalError("\(kind): \(error.text)")
  }
  return 0
}
