import EventLoop
import Foundation
import PictureExchange
import TestKit
import Testing
import Threads

@testable import PictureProgram

@Suite struct PictureProcessTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func never() -> ChildProgram.Interruption {
    ChildProgram.Interruption(WakeUp()) { false }
  }

  private func thumbnail(
    _ bytes: [UInt8], side: Int = 160
  ) throws(PictureFailure) -> [UInt8] {
    guard let file = PictureFile.create(holding: bytes) else { throw .unreadable }
    defer { close(file) }
    return try PictureProcess().thumbnail(file, side: side, unless: never())
  }

  /// Width and height in the frame header of a baseline JPEG.
  private func size(_ jpeg: [UInt8]) -> [Int]? {
    guard
      let frame = jpeg.indices.dropLast(9).first(where: {
        jpeg[$0] == 0xFF && jpeg[$0 + 1] == 0xC0
      })
    else { return nil }
    func number(_ at: Int) -> Int { Int(jpeg[at]) << 8 | Int(jpeg[at + 1]) }
    return [number(frame + 7), number(frame + 5)]
  }

  @Test func thumbnail_isASquareJPEG_andIsNotEnlarged() throws {
    for (width, height, side) in [(1000, 600, 160), (160, 161, 160), (90, 200, 90), (1, 1, 1)] {
      let jpeg = try thumbnail(GeneratedPNG.halves(width, height).bytes)
      #expect(size(jpeg) == [side, side])
      #expect(jpeg.count < 4000)
    }
  }

  /// The picture has a red half and a blue half. If the decoded thumbnail shows the same halves, its pixels are right.
  @Test func thumbnail_hasThePixelsOfThePicture() throws {
    let jpeg = try thumbnail(GeneratedPNG.halves(500, 500).bytes)
    let colours = try PictureProcess().decode(jpeg, .init(.cover, side: 160)) { width, _, pixels in
      [20, 140].map { x in (0..<3).map { pixels[(80 * width + x) * 4 + $0] } }
    }
    // Blue, green, red.
    #expect(colours[0][2] > 160 && colours[0][0] < 90)
    #expect(colours[1][0] > 160 && colours[1][2] < 90)
  }

  @Test func thumbnail_ofNoise_isNotLargerThanTheLimit() throws {
    var random = SystemRandomNumberGenerator()
    let noise = GeneratedPNG(192, 192) { _, _ in
      (0..<3).map { _ in random.next(upperBound: 2 as UInt8) * 255 } + [255]
    }
    let jpeg = try thumbnail(noise.bytes, side: 192)
    #expect(size(jpeg) == [192, 192])
    #expect(jpeg.count <= PictureFile.thumbnailBytes)
  }

  @Test func thumbnail_ofADamagedPicture_isRefused() throws {
    let picture = GeneratedPNG.halves(50, 50).bytes
    #expect(throws: PictureFailure.damaged) { try thumbnail(Array(picture.dropLast(100))) }
    #expect(throws: PictureFailure.unknownFormat) { try thumbnail(Array("GIF89a".utf8)) }
    #expect(throws: PictureFailure.tooLarge) { try thumbnail(GeneratedPictures.png(9000, 9000)) }
  }

  /// The result comes from a process that an attacker can have taken over, so the result is checked.
  @Test func result_thatIsNoJPEG_isRefused() {
    func result(_ count: Int, _ bytes: [UInt8]) -> [UInt8]? {
      let file = PictureFile.header(thumbnailBytes: count) + bytes
      return file.withUnsafeBytes { PictureFile.thumbnail($0) }
    }
    let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF, 1, 2, 0xFF, 0xD9]
    #expect(result(7, jpeg) == jpeg)
    #expect(result(7, jpeg + [9, 9]) == jpeg)
    for (count, bytes) in [
      (8, jpeg), (6, jpeg), (0, jpeg), (-1, jpeg),
      (17 << 10, jpeg + [UInt8](repeating: 0, count: 17 << 10)),
      (7, [0x89] + jpeg.dropFirst()), (4, []),
    ] { #expect(result(count, bytes) == nil) }
  }

  /// Writes a program that replaces the decoder. Returns its path.
  private func script(_ text: String, of interpreter: String = "/bin/sh") throws -> String {
    try folder.writeScript("decoder", text, of: interpreter)
  }

  // MARK: A program that was taken over

  /// Replaces the decoder by a program, and requests a picture, as the screen does, and a thumbnail, as the library
  /// does. Returns the failures of the two requests.
  private func results(
    _ text: String, of interpreter: String = "/bin/sh", timeout: Duration = Hang.limit
  ) throws -> [PictureFailure?] {
    let process = PictureProcess(path: try script(text, of: interpreter), timeout: timeout)
    let file = try #require(PictureFile.create(holding: [1]))
    defer { close(file) }
    func failure(_ body: () throws(PictureFailure) -> Void) -> PictureFailure? {
      do throws(PictureFailure) { try body() } catch { return error }
      return nil
    }
    return [
      failure { () throws(PictureFailure) in
        try process.decode(file, PictureRequest(.cover, side: 8)) { _, _, pixels in
          // Each byte can be read.
          pixels.reduce(0) { $0 &+ Int($1) } >= 0 ? () : nil
        }
      },
      failure { () throws(PictureFailure) in
        _ = try process.thumbnail(file, side: 8, unless: never())
      },
    ]
  }

  /// The program that replaces the decoder writes to the memory that it shares with the caller. Then it seals this
  /// memory, or does not seal it.
  @Test(arguments: [
    // Widths and heights that do not fit the request.
    ("write(1, pack('<II', 0xFFFFFFFF, 0xFFFFFFFF)); seal(15)", true),
    ("write(1, pack('<II', 9, 8)); seal(15)", true),
    ("write(1, pack('<II', 0, 8)); seal(15)", true),
    ("write(1, pack('<II', 0x80000000, 2)); seal(15)", true), ("seal(15)", true),
    // The memory could be changed after it was checked.
    ("write(1, pack('<II', 8, 8)); seal(8)", true), ("write(1, pack('<II', 8, 8))", true),
    ("write(1, pack('<II', 8, 8)); seal(16)", true),
    ("m = mmap(1, 8); m[:8] = pack('<II', 8, 8); seal(15)", true),
    // The program tries to change the size of the memory. The result is valid in spite of that, so it is used.
    ("write(1, pack('<II', 8, 8)); tries(ftruncate, 1, 0); seal(15)", false),
    ("write(1, pack('<II', 8, 8)); tries(ftruncate, 1, 1 << 40); seal(15)", false),
    ("tries(fallocate, 1); write(1, pack('<II', 8, 8)); seal(15)", false),
  ])
  func decode_hostileMemory_isRefusedOrComplete(_ code: String, isRefused: Bool) throws {
    let program = """
      from os import *
      from struct import pack
      from mmap import mmap
      import fcntl
      def seal(seals):
        tries(fcntl.fcntl, 1, 1033, seals)
      def fallocate(file):
        posix_fallocate(file, 0, 1 << 30)
      def tries(function, *arguments):
        try: function(*arguments)
        except OSError: pass
      \(code)
      """
    let failures = try results(program, of: "/usr/bin/python3 -I")
    #expect(failures == [isRefused ? .damaged : nil, .damaged])
  }

  @Test func decode_programThatNeverEnds_isKilledWithItsChildren() throws {
    for script in [
      "exec sleep 1000", "while :; do :; done", "trap '' TERM INT HUP; while :; do sleep 1; done",
      "sleep 1000 & echo $! >\(folder.path("pid")); wait",
    ] {
      let failures = try results(script, timeout: .milliseconds(500))
      #expect(failures == [.tookTooLong, .tookTooLong], "\(script)")
    }
    let pid = try #require(
      pid_t(String(decoding: try folder.read("pid").dropLast(), as: UTF8.self)))
    let end = ContinuousClock.now + Hang.limit
    while kill(pid, 0) == 0, !isZombie(pid), ContinuousClock.now < end { usleep(10_000) }
    #expect(kill(pid, 0) != 0 || isZombie(pid))
  }

  private func isZombie(_ pid: pid_t) -> Bool {
    ((try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8)) ?? "").contains(") Z ")
  }

  @Test func decode_endlessOutput_isKilledSoon() throws {
    // Standard error is read and dropped. The shared memory does not grow.
    let killed = PictureFailure.crashed(signal: SIGKILL)
    let endless = try results("while :; do echo message >&2; done")
    #expect(endless == [killed, killed])
    let failures = try results("while echo message; do :; done; exit 0")
    #expect(failures == [.damaged, .damaged])
  }

  @Test func decode_statusAndSignal_areReported() throws {
    for (script, failure) in [
      ("exit 0", PictureFailure.damaged), ("exit 1", .ended(status: 1)),
      ("exit 255", .ended(status: 255)), ("kill -SEGV $$", .crashed(signal: SIGSEGV)),
      ("kill -XCPU $$", .tookTooLong), ("exec 2>&-; exec sleep 1000", .crashed(signal: SIGKILL)),
    ] { #expect(try results(script) == [failure, failure], "\(script)") }
  }

  @Test func waitingForADecoderThatHangs_canBeInterrupted() throws {
    let process = PictureProcess(path: try script("exec sleep 1000"))
    let wake = WakeUp()
    let asked = NSLock()
    nonisolated(unsafe) var count = 0
    // The first two calls return false, as if the wake-up had been signalled for another reason.
    let interruption = ChildProgram.Interruption(wake) {
      asked.withLock {
        count += 1
        if count < 3 { wake.signal() }
        return count == 3
      }
    }
    let file = try #require(PictureFile.create(holding: [1]))
    defer { close(file) }
    #expect(throws: PictureFailure.interrupted) {
      try process.thumbnail(file, side: 160, unless: interruption)
    }
    #expect(count == 3)
  }
}
