import Testing

@testable import EventLoop

@Suite struct FrameScannerTests {
  private static let hello = Array("\0AUTH EXTERNAL\r\nDATA\r\nBEGIN\r\n".utf8)

  private func header(_ order: Character = "l", fields: UInt32 = 0, body: UInt32 = 0) -> [UInt8] {
    func bytes(_ number: UInt32) -> [UInt8] {
      let little = (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
      return order == "l" ? little : little.reversed()
    }
    return [order.asciiValue!, 1, 0, 1] + bytes(body) + bytes(7) + bytes(fields)
  }

  private func scan(_ bytes: [UInt8], limit: Int = 1000, by step: Int) -> FrameScanner.Fault? {
    var scanner = FrameScanner(limit: limit)
    for start in stride(from: 0, to: bytes.count, by: step) {
      do {
        _ = try bytes[start..<min(start + step, bytes.count)].withUnsafeBytes {
          try scanner.scan($0)
        }
      } catch { return error as? FrameScanner.Fault }
    }
    return nil
  }

  @Test func messages_areAcceptedInChunksOfAnySize() {
    let filling = [UInt8](repeating: 0xFF, count: 16 + 5)
    let stream =
      Self.hello + header() + header(fields: 13, body: 5) + filling
      + header("B", fields: 16, body: 5) + filling
    for step in 1...stream.count { #expect(scan(stream, by: step) == nil) }
    // The scanner computes where each message ends, so it detects that wrong bytes follow the last message.
    for step in 1...7 { #expect(scan(stream + filling, by: step) == .malformed) }
  }

  @Test func longMessage_isRefusedByItsHeader() {
    #expect(scan(Self.hello + header(body: 984), by: 3) == nil)
    #expect(scan(Self.hello + header(body: 985), by: 3) == .oversized)
    #expect(scan(Self.hello + header(fields: .max, body: .max), by: 100) == .oversized)
  }

  @Test func otherBytes_areRefused() {
    #expect(scan([1], by: 1) == .malformed)
    #expect(scan(Self.hello + Array("GET / HTTP/1.1\r\n".utf8), by: 100) == .malformed)
    #expect(
      scan(Self.hello + ["l", 1, 0, 2].flatMap { _ in [UInt8](repeating: 0, count: 4) }, by: 9)
        == .malformed)
    #expect(scan([0] + [UInt8](repeating: 65, count: 5000), by: 1000) == .malformed)
  }
}
