/// What the frames of a stream mean: from a frame on, this content plays, at this time and rate.
package struct FrameMark<Content> {
  /// The first frame of the content, or of this part of the content.
  package let frame: Int64
  package let content: Content
  /// The time in the content at ``frame``.
  package let time: Duration
  /// The seconds of content in a second of sound. 0 if an app sent a value that is no number.
  package let rate: Double
  /// The rate at which the content plays normally.
  package let defaultRate: Double

  /// The values can be any that an app sent. They are limited to ranges in which no computation overflows.
  package init(
    frame: UInt64, content: Content, time: Duration = .zero, rate: Double = 1,
    defaultRate: Double = 1
  ) {
    self.frame = FrameNumber.clamped(frame)
    self.content = content
    self.time = min(max(time, .nanoseconds(-Int64.max)), .nanoseconds(Int64.max))
    self.rate = Self.limited(rate)
    self.defaultRate = Self.limited(defaultRate)
  }

  private static func limited(_ rate: Double) -> Double {
    rate.isNaN ? 0 : min(max(rate, -1000), 1000)
  }

  /// The time in the content when `heard` is heard.
  package func elapsed(heard: Int64, format: AppStreamFormat) -> Duration {
    // Whole seconds and the rest are separate, because a Double has too few digits for both.
    let frames = min(max(0, heard), FrameNumber.limit) - frame
    let (seconds, rest) = frames.quotientAndRemainder(dividingBy: Int64(format.rate))
    return time + .seconds(Double(seconds) * rate)
      + .seconds(Double(rest) * rate / Double(format.rate))
  }
}

extension FrameMark: Sendable where Content: Sendable {}
extension FrameMark: Equatable where Content: Equatable {}

/// The marks of a stream, which say which content is heard. A value without a clock: the caller passes the frame that
/// is heard, which must not decrease.
///
/// The order in which marks and frames arrive does not matter. A mark whose frame was heard already applies at once.
package struct FrameMarks<Content> {
  /// The most marks whose frames were not heard.
  package static var most: Int { 64 }

  /// There are ``most`` marks whose frames were not heard. The mark is not added.
  package struct TooMany: Error {}

  /// Ordered by their frames, each frame once. Of the marks that were heard, only the last one is kept.
  private var marks: [FrameMark<Content>] = []

  package init() {}

  /// Adds a mark, or replaces the mark at the same frame.
  package mutating func add(_ mark: FrameMark<Content>, heard: Int64) throws(TooMany) {
    dropPast(heard)
    let index = marks.firstIndex { $0.frame >= mark.frame } ?? marks.count
    if index < marks.count, marks[index].frame == mark.frame {
      marks[index] = mark
      return
    }
    guard mark.frame <= heard || marks.count(where: { $0.frame > heard }) < Self.most
    else { throw TooMany() }
    marks.insert(mark, at: index)
    dropPast(heard)
  }

  /// The next frame of the stream is `next`. Removes the marks below it whose frames were not heard.
  package mutating func flush(next: UInt64, heard: Int64) {
    let next = FrameNumber.clamped(next)
    marks.removeAll { $0.frame > heard && $0.frame < next }
  }

  /// The mark of the frame that is heard: the last one at or before this frame. Nil if there is none.
  package func current(heard: Int64) -> FrameMark<Content>? { marks.last { $0.frame <= heard } }

  /// The frame of the next mark, at which the content changes. Nil if no mark follows.
  package func next(after heard: Int64) -> Int64? { marks.first { $0.frame > heard }?.frame }

  private mutating func dropPast(_ heard: Int64) {
    marks.removeFirst(marks.lastIndex { $0.frame <= heard } ?? 0)
  }
}

extension FrameMarks: Sendable where Content: Sendable {}
