import EventLoop
import Foundation
import Synchronization
import TestKit
import Testing

@testable import Daemon

/// Readings of folders. The path `Medium.path` blocks the thread that reads it until the test calls `open`.
@Suite struct StorageReaderTests {
  private final class Medium: Sendable {
    static let path = "/silent"
    private let gate = DispatchSemaphore(value: 0)
    let reads = Mutex(0)

    func read(_ path: String) -> StorageReader.Reading {
      reads.withLock { $0 += 1 }
      if path == Self.path {
        gate.wait()
        gate.signal()
      }
      return StorageReader.Reading(isPresent: true)
    }

    func open() { gate.signal() }
  }

  private let loop = EventLoop()
  private let medium = Medium()
  private let reader: StorageReader

  init() throws {
    reader = StorageReader(loop, limit: Hang.limit) { [medium] in medium.read($0) }
    try reader.start()
  }

  private func read(_ paths: String...) throws -> StorageReader.Readings {
    var answers: [StorageReader.Readings] = []
    reader.read(paths) { answers.append($0) }
    try loop.turn { !answers.isEmpty }
    return try #require(answers.first)
  }

  @Test func read_realFolders_saysWhatIsPresent() throws {
    let folder = try TemporaryFolder()
    let reader = StorageReader(loop, limit: Hang.limit)
    try reader.start()
    var readings: StorageReader.Readings?
    reader.read([folder.url.path, folder.path("missing")]) { readings = $0 }
    try loop.turn { readings != nil }
    #expect(readings?.count == 2)
    #expect(readings?[folder.url.path]?.isPresent == true)
    #expect(readings?[folder.path("missing")]?.isPresent == false)
  }

  @Test func read_noPath_isAnsweredAtOnce() {
    var isAnswered = false
    reader.read([]) { isAnswered = $0.isEmpty }
    #expect(isAnswered)
  }

  @Test func requestsForOnePath_shareOneReading() throws {
    var answers: [Set<String>] = []
    reader.read([Medium.path]) { answers.append(Set($0.keys)) }
    reader.read([Medium.path]) { answers.append(Set($0.keys)) }
    #expect(try read("/other").count == 1)
    medium.open()
    try loop.turn { answers.count == 2 }
    #expect(answers == [[Medium.path], [Medium.path]])
    #expect(medium.reads.withLock { $0 } == 2)
  }

  @Test func silentPath_isLeftOut_andDelaysNoFurtherRequest_untilItAnswers() throws {
    let reader = StorageReader(loop, limit: .milliseconds(50)) { [medium] in medium.read($0) }
    try reader.start()
    var first: StorageReader.Readings?
    reader.read([Medium.path]) { first = $0 }
    try loop.turn { first != nil }
    #expect(first?.isEmpty == true)
    // While the path is silent, no further thread reads it.
    let reads = medium.reads.withLock { $0 }
    var second: StorageReader.Readings?
    reader.read([Medium.path]) { second = $0 }
    #expect(second?.isEmpty == true && medium.reads.withLock { $0 } == reads)
    medium.open()
    var keys: Set<String> = []
    try loop.turn {
      reader.read([Medium.path]) { keys.formUnion($0.keys) }
      return keys == [Medium.path]
    }
  }

  /// A reader that was not started gets no results, but it must still answer each request.
  @Test func readerThatWasNotStarted_answersWithoutReadings() throws {
    let reader = StorageReader(loop, limit: .milliseconds(50)) { [medium] in medium.read($0) }
    var readings: StorageReader.Readings?
    reader.read(["/other"]) { readings = $0 }
    try loop.turn { readings != nil }
    #expect(readings?.isEmpty == true)
  }
}
