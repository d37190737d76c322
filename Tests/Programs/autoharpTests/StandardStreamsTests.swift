import Foundation
import Testing

@testable import autoharp

@Suite struct StandardStreamsTests {
  private let reading: Int32
  private let writing: Int32

  init() throws {
    signal(SIGPIPE, SIG_IGN)
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    (reading, writing) = (ends[0], ends[1])
  }

  @Test(arguments: [0, O_NONBLOCK])
  func write_slowReader_losesNothing(flags: Int32) throws {
    #expect(fcntl(writing, F_SETFL, flags) == 0)
    // The text is much longer than a pipe can hold, so it is written in parts. A part can end within a character,
    // because some characters have several bytes.
    let text = String(repeating: "Übung – ", count: 200_000)
    let writing = writing
    let writer = Thread {
      try? StandardStreams.write(text, to: writing)
      close(writing)
    }
    writer.start()
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 5000)
    while case let count = read(reading, &piece, piece.count), count > 0 {
      bytes += piece[..<count]
    }
    close(reading)
    // The comparison is outside of `#expect`, because `#expect` would search for the difference for minutes.
    let isWhole = bytes == Array(text.utf8)
    #expect(isWhole)
  }

  @Test func write_closedReader_throwsReaderClosed() {
    close(reading)
    #expect(throws: OutputError.readerClosed) { try StandardStreams.write("text", to: writing) }
    close(writing)
  }

  @Test func write_fullDisk_throwsTheErrorNumber() throws {
    let full = open("/dev/full", O_WRONLY)
    #expect(throws: OutputError.failed(ENOSPC)) { try StandardStreams.write("text", to: full) }
    for descriptor in [full, reading, writing] { close(descriptor) }
  }

  @Test func hasReader_pipe_isFalseAfterTheReaderCloses() {
    #expect(StandardStreams.hasReader(writing))
    close(reading)
    #expect(!StandardStreams.hasReader(writing))
    close(writing)
  }

  @Test func hasReader_file_isTrue() {
    let file = open("/dev/null", O_WRONLY)
    #expect(StandardStreams.hasReader(file))
    for descriptor in [file, reading, writing] { close(descriptor) }
  }
}

@Suite struct RateLimiterTests {
  @Test func isDue_isTrueAtMostOncePerInterval() {
    var limiter = RateLimiter(from: 10)
    // Updates that are missed during the long pause from 10.22 to 100 are not made later.
    let times = [9.9, 10, 10.09, 10.11, 10.2, 10.22, 100, 100.01]
    #expect(
      times.map { limiter.isDue(at: $0) }
        == [false, true, false, true, false, true, true, false])
  }
}
