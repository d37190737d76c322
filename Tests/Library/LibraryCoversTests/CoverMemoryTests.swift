import Foundation
import TestKit
import Testing

@testable import LibraryCovers

/// True if the address sanitizer or the thread sanitizer is linked into the tests.
private let hasSanitizer = dlsym(nil, "__asan_init") != nil || dlsym(nil, "__tsan_init") != nil

/// A picture of any size increases the memory of the process by at most 8 MB.
@Suite(
  .disabled(if: hasSanitizer, "a sanitizer needs more memory than the code under test"))
struct CoverMemoryTests {
  private struct TooMuch: Error {
    let kilobytes: Int
  }

  @Test func run_picturesOf15MiB_needAtMost8MB() async {
    await #expect(processExitsWith: .success) {
      let bench = try CoverBench()
      try bench.song("a/small/1.flac", picture: CoverBench.png(1))
      try bench.run()
      // The decoder ignores bytes after the end of a JPEG. So these bytes only make the file large.
      let large = try CoverBench.jpeg(1) + [UInt8](repeating: 7, count: 15 << 20)
      try bench.song("a/tag/1.flac", picture: large)
      try bench.song("a/folder/1.flac")
      try bench.write("a/folder/cover.jpg", large + [8])
      let before = try CoverMemoryTests.memory("VmRSS")
      // Writing 5 resets the peak size `VmHWM` to the present size (Linux, Documentation/filesystems/proc.rst).
      try Data("5".utf8).write(to: URL(fileURLWithPath: "/proc/self/clear_refs"))
      #expect(try bench.run() == .init(ending: .complete, examined: 2, made: 2))
      let growth = try CoverMemoryTests.memory("VmHWM") - before
      if growth > 8 << 10 { throw TooMuch(kilobytes: growth) }
    }
  }

  /// A value of `/proc/self/status`, in KB.
  private static func memory(_ name: String) throws -> Int {
    let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
    let line = status.split(separator: "\n").first { $0.hasPrefix(name + ":") }
    let words = try #require(line).split { " \t".contains($0) }
    return try #require(Int(words[1]))
  }
}
