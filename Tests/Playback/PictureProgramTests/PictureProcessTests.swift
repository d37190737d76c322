import EventLoop
import Foundation
import PictureExchange
import TestKit
import Testing
import Threads

@testable import PictureProgram

@Suite(.timeLimit(.minutes(10))) struct PictureProcessTests {
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

  /// The thumbnail of a thumbnail shows the same halves, so its pixels are right.
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

  /// The result comes from a process that may have been taken over.
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

  /// A program that replaces the decoder.
  private func script(_ text: String) throws -> String {
    try folder.write("decoder", Array("#!/bin/sh\n\(text)\n".utf8))
    let path = folder.path("decoder")
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
    return path
  }

  @Test func waitingForADecoderThatHangs_canBeInterrupted() throws {
    let process = PictureProcess(path: try script("exec sleep 1000"))
    let wake = WakeUp()
    let asked = NSLock()
    nonisolated(unsafe) var count = 0
    // The first two questions are answered before and after a signal that means something else.
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
