import TestKit
import Testing

@testable import AppStream

@Suite struct FrameMarksTests {
  private static let format = try! AppStreamFormat(rate: 48_000, channels: 2, samples: "s16")

  @Test func current_isTheLastMarkThatIsHeard() throws {
    var marks = FrameMarks<String>()
    #expect(marks.current(heard: 0) == nil && marks.next(after: 0) == nil)
    try marks.add(FrameMark(frame: 100, content: "b"), heard: 0)
    try marks.add(FrameMark(frame: 0, content: "a"), heard: 0)
    #expect(marks.current(heard: 99)?.content == "a" && marks.next(after: 99) == 100)
    #expect(marks.current(heard: 100)?.content == "b" && marks.next(after: 100) == nil)
  }

  @Test func add_afterItsFrameWasHeard_appliesAtOnce() throws {
    var marks = FrameMarks<String>()
    try marks.add(FrameMark(frame: 0, content: "a"), heard: 500)
    try marks.add(FrameMark(frame: 400, content: "c"), heard: 500)
    #expect(marks.current(heard: 500)?.content == "c")
    try marks.add(FrameMark(frame: 300, content: "b"), heard: 500)
    #expect(marks.current(heard: 500)?.content == "c")
    try marks.add(FrameMark(frame: 400, content: "d"), heard: 500)
    #expect(marks.current(heard: 500)?.content == "d")
  }

  @Test func add_tooManyThatAreNotHeard_isRefused() throws {
    var marks = FrameMarks<Int>()
    for number in 1...64 { try marks.add(FrameMark(frame: UInt64(number), content: 0), heard: 0) }
    #expect(throws: FrameMarks<Int>.TooMany.self) {
      try marks.add(FrameMark(frame: 65, content: 1), heard: 0)
    }
    try marks.add(FrameMark(frame: 64, content: 2), heard: 0)
    try marks.add(FrameMark(frame: 0, content: 3), heard: 0)
    try marks.add(FrameMark(frame: 65, content: 4), heard: 1)
    #expect(marks.current(heard: 64)?.content == 2 && marks.current(heard: 65)?.content == 4)
    for number in 100..<1_000_000 {
      try marks.add(FrameMark(frame: UInt64(number), content: number), heard: Int64(number))
    }
    #expect(marks.current(heard: .max)?.content == 999_999)
  }

  @Test func flush_removesMarksThatWereNotHeard() throws {
    var marks = FrameMarks<String>()
    for (frame, content): (UInt64, _) in [(0, "a"), (100, "b"), (200, "c"), (300, "d")] {
      try marks.add(FrameMark(frame: frame, content: content), heard: 0)
    }
    marks.flush(next: 300, heard: 150)
    #expect(marks.current(heard: 299)?.content == "b" && marks.next(after: 150) == 300)
    #expect(marks.current(heard: 300)?.content == "d")
    marks.flush(next: 1000, heard: 150)
    #expect(marks.current(heard: 1000)?.content == "b")
  }

  @Test func elapsed_followsTheFramesAndTheRate() {
    let mark = FrameMark(frame: 48_000, content: 0, time: .seconds(90), rate: 1.5)
    #expect(mark.elapsed(heard: 48_000, format: Self.format) == .seconds(90))
    #expect(mark.elapsed(heard: 48_000 * 11, format: Self.format) == .seconds(105))
    #expect(mark.elapsed(heard: 72_000, format: Self.format) == .milliseconds(90_750))
    #expect(mark.elapsed(heard: 0, format: Self.format) == .milliseconds(88_500))
  }

  @Test func elapsed_ofAnyValues_doesNotTrap() {
    let durations: [Duration] = [
      .zero, .seconds(Int64.max), .seconds(Int64.min), .nanoseconds(Int64.min),
      Duration(attoseconds: .max), Duration(attoseconds: .min),
    ]
    let rates: [Double] = [
      0, 1, -1, .nan, .infinity, -.infinity, 1e300, -1e300, .leastNonzeroMagnitude,
    ]
    for frame: UInt64 in [0, 1, 1 << 52, .max] {
      for time in durations {
        for rate in rates {
          let mark = FrameMark(
            frame: frame, content: 0, time: time, rate: rate, defaultRate: rate)
          for heard: Int64 in [.min, -1, 0, 1, 1 << 52, .max] {
            #expect(mark.elapsed(heard: heard, format: Self.format) < .seconds(1e16))
          }
          #expect(mark.rate.isFinite && mark.defaultRate.isFinite)
        }
      }
    }
  }

  /// Marks, frames and flushes in random order, beside a model that keeps all marks.
  @Test func current_afterRandomChanges_isThatOfTheModel() {
    var random = SeededRandom(3)
    for _ in 0..<300 {
      var marks = FrameMarks<Int>()
      var model: [Int64: Int] = [:]
      var heard: Int64 = 0
      for content in 0..<200 {
        let near = UInt64(max(0, heard + Int64(random.below(400)) - 100))
        switch random.below(10) {
        case 0:
          marks.flush(next: near, heard: heard)
          model = model.filter { $0.key <= heard || $0.key >= Int64(near) }
        case 1..<4: heard += Int64(random.below(30))
        default:
          let frame = Int64(near)
          let isFull =
            frame > heard && model[frame] == nil && model.keys.count { $0 > heard } >= 64
          let isAdded =
            (try? marks.add(FrameMark(frame: near, content: content), heard: heard)) != nil
          #expect(isAdded == !isFull)
          if isAdded { model[frame] = content }
        }
        let current = model.filter { $0.key <= heard }.max { $0.key < $1.key }
        #expect(marks.current(heard: heard)?.content == current?.value)
        #expect(marks.next(after: heard) == model.keys.filter { $0 > heard }.min())
      }
    }
  }
}
