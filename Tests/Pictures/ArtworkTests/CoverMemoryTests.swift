import Foundation
import TestKit
import Testing
import Threads

@testable import Artwork

/// True if the address sanitizer or the thread sanitizer is linked to the tests.
private let hasSanitizer = dlsym(nil, "__asan_init") != nil || dlsym(nil, "__tsan_init") != nil

/// Tests that a cover of any size increases the memory of the process by at most 8 MB.
@Suite(
  .disabled(if: hasSanitizer, "a sanitizer needs more memory than the code under test"))
struct CoverMemoryTests {
  /// The limit in KB.
  private static let limit = 8 * 1024

  enum Container: String, CaseIterable, Codable {
    case flac, vorbis, folder
  }

  /// A picture of the largest permitted size. A FLAC metadata block has less than 16 MiB, so its picture is smaller.
  private func image(_ container: Container) -> [UInt8] {
    let count = CoverLimits().bytes - (container == .flac ? 100 : 0)
    let start = GeneratedPictures.jpeg()
    var bytes = [UInt8](repeating: 0, count: count)
    bytes.replaceSubrange(..<start.count, with: start)
    // No memory page of the picture contains only zeros, so all pages need memory.
    for index in stride(from: start.count, to: count, by: 512) {
      bytes[index] = UInt8(truncatingIfNeeded: index >> 9)
    }
    return bytes
  }

  private func write(_ container: Container, _ folder: TemporaryFolder) throws {
    let image = image(container)
    switch container {
    case .flac: try folder.write("large.music", GeneratedPictures.flac([.init(bytes: image)]))
    case .vorbis: try folder.write("large.music", GeneratedPictures.vorbis(.init(bytes: image)))
    case .folder:
      try folder.write("large.music", GeneratedPictures.flac())
      try folder.write("cover.jpg", image)
    }
    try folder.makeFolder("small")
    try folder.write("small/small.music", GeneratedPictures.flac())
  }

  @Test(arguments: Container.allCases)
  func load_coverOf16MiB_needsAtMost8MB(container: Container) async throws {
    let folder = try TemporaryFolder()
    try write(container, folder)
    let path = folder.url.path
    await #expect(processExitsWith: .success) { [path = path as String] in
      try CoverMemoryTests.measure(path, "small/small.music", to: "without")
    }
    await #expect(processExitsWith: .success) { [path = path as String] in
      try CoverMemoryTests.measure(path, "large.music", to: "with")
    }
    let name = PictureKey(of: image(container)).hex + ".jpg"
    #expect(folder.names("cache").contains(name))
    let growth = try ["without", "with"].map { name in
      try #require(Int(String(decoding: try folder.read(name), as: UTF8.self)))
    }
    #expect(growth[1] - growth[0] <= Self.limit, "\(container.rawValue): \(growth)")
  }

  /// Loads the cover of a file, and writes into the file `name` how many KB of memory this needed. The answer is kept
  /// until the memory is measured.
  private static func measure(_ folder: String, _ music: String, to name: String) throws {
    let loader = ArtworkLoader(cache: ArtworkCache(folder: folder + "/cache"))
    let before = try memory("VmRSS")
    // Sets the peak (VmHWM) to the present size (Linux, Documentation/filesystems/proc.rst).
    try Data("5".utf8).write(to: URL(fileURLWithPath: "/proc/self/clear_refs"))
    loader.load(CoverRequest(contentID: music, path: folder + "/" + music))
    var answer: CoverAnswer?
    while answer == nil {
      var entry = pollfd(fd: loader.wakeUp.descriptor, events: Int16(POLLIN), revents: 0)
      guard poll(&entry, 1, 240_000) == 1 else { throw POSIXError(.ETIMEDOUT) }
      answer = loader.takeAnswer()
    }
    let growth = try withExtendedLifetime(answer) { try memory("VmHWM") - before }
    try Data("\(growth)".utf8).write(to: URL(fileURLWithPath: folder + "/" + name))
    loader.shutDown()
  }

  /// The value of a line of `/proc/self/status`, in KB.
  private static func memory(_ key: String) throws -> Int {
    let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
    let line = try #require(status.split(separator: "\n").first { $0.hasPrefix(key + ":") })
    return try #require(
      line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) })
  }
}
