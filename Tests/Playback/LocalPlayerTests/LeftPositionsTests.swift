import NowPlaying
import Testing

@testable import LocalPlayer

@Suite struct LeftPositionsTests {
  private func at(_ seconds: Int) -> MonotonicInstant {
    MonotonicInstant(awake: .seconds(seconds))
  }

  @Test(arguments: [(10, 1800.0), (11, nil)])
  func takeLast_isPossibleForTenSeconds(seconds: Int, expected: Double?) {
    var positions = LeftPositions()
    positions.add(1, at: 1800, duration: 3600, at(0))
    #expect(positions.takeLast(at: at(seconds))?.seconds == expected)
    #expect(positions.takeLast(at: at(seconds)) == nil)
  }

  @Test(arguments: [(599.0, 0), (600.0, 1)])
  func add_aSong_isIgnored(duration: Double, count: Int) {
    var positions = LeftPositions()
    positions.add(1, at: 90, duration: duration, at(0))
    #expect((positions.takeLast(at: at(1)) == nil) == (count == 0))
  }

  @Test func takeLast_severalLeftFiles_returnsTheLastOneFirst() {
    var positions = LeftPositions()
    for id in 1...3 { positions.add(UInt32(id), at: Double(id), duration: 600, at(id)) }
    #expect((0..<4).map { _ in positions.takeLast(at: at(5))?.id } == [3, 2, 1, nil])
  }
}
