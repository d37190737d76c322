import TestKit
import Testing

@testable import AppStream

@Suite struct FrameHistoryTests {
  /// Adds, reads and removes frames in random order, beside an array of the frames that must be kept.
  @Test func read_afterRandomChanges_givesTheLastFrames() {
    var random = SeededRandom(11)
    for _ in 0..<50 {
      let capacity = 64 + random.below(64)
      var history = FrameHistory(bytes: capacity, frameBytes: 1)
      var kept: [Int64] = []
      var next: Int64 = 0
      var jumps = 0
      for _ in 0..<300 {
        switch random.below(20) {
        case 0:
          history.removeAll()
          (kept, jumps) = ([], 0)
        case 1:
          history.release()
          #expect(
            history.allocatedBytes == 0 && (kept.isEmpty || history.forgotten == kept.last! + 1))
          (kept, jumps) = ([], 0)
        case 2..<5 where jumps < 40:
          next += Int64(random.below(500))
          jumps += 1
        default:
          let numbers = next..<next + Int64(1 + random.below(64))
          next = numbers.upperBound
          numbers.map { UInt8(truncatingIfNeeded: $0) }.withUnsafeBytes {
            history.add($0, first: numbers.lowerBound)
          }
          kept = (kept + numbers).suffix(capacity)
          #expect(history.allocatedBytes == capacity)
        }
        let from = next - Int64(random.below(3 * capacity))
        let end = from + Int64(random.below(4 * capacity))
        #expect(history.frames(from: from) == kept.count { $0 >= from })
        #expect(all(history, from: from, before: end) == kept.filter { $0 >= from && $0 < end })
      }
    }
  }

  /// All frames in a range, read piece by piece. Checks their bytes.
  private func all(_ history: FrameHistory, from: Int64, before end: Int64) -> [Int64] {
    var numbers: [Int64] = []
    var next = from
    while let piece = history.read(
      from: next, before: end, limit: 50, { first, bytes in (first, Array(bytes)) })
    {
      let found = (0..<Int64(piece.1.count)).map { piece.0 + $0 }
      #expect(piece.1 == found.map { UInt8(truncatingIfNeeded: $0) })
      numbers += found
      next = piece.0 + Int64(piece.1.count)
    }
    return numbers
  }

  @Test func add_manyJumps_forgetsTheOldestRuns() {
    var history = FrameHistory(bytes: 10_000, frameBytes: 1)
    for number in stride(from: Int64(0), to: 2000, by: 2) {
      [UInt8(truncatingIfNeeded: number)].withUnsafeBytes { history.add($0, first: number) }
    }
    #expect(history.isFullOfRuns && history.frames(from: 0) == 64 && history.forgotten == 1871)
    #expect(all(history, from: 0, before: .max) == (0..<64).map { 1872 + 2 * $0 })
  }
}
