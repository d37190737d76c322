/// Assigns the titles of PROGRAM to frames of the stream. PROGRAM counts its frames from its start, and some of them do
/// not get into the stream. A value without I/O.
struct TitleSchedule {
  /// A title with the frame of the stream at which it begins.
  struct Placed: Equatable {
    var title: ProgramLine.Title
    var frame: Int
  }

  /// What happens to frames of PROGRAM.
  struct Taken: Equatable {
    /// How many of the first frames are thrown away. The others are written to the stream.
    var dropped: Int
    /// The titles that begin at one of the frames.
    var titles: [Placed]
  }

  /// The largest number of titles whose frames have not arrived.
  static let limit = 64

  /// The number of frames of PROGRAM that were taken.
  private(set) var taken = 0
  /// Frames of PROGRAM below this number are thrown away.
  private var skipped = 0
  /// The first frame since which each frame of PROGRAM was written to the stream, in both counts.
  private var run: (program: Int, stream: Int)?
  /// In the order of their frames.
  private var pending: [(frame: Int, title: ProgramLine.Title)] = []

  /// True if the next frame of PROGRAM is thrown away because of a seek.
  var isSkipping: Bool { taken < skipped }
  /// The number of frames that are still thrown away because of a seek.
  var framesToSkip: Int { max(0, skipped - taken) }

  /// Throws the frames of PROGRAM below `frame` away.
  mutating func skip(to frame: Int) { skipped = frame }

  /// Adds a title that begins at the frame `frame` of PROGRAM.
  /// - Parameter next: the number of the next frame of the stream.
  /// - Returns: its place; nil if its frame has not arrived. Then ``take(_:keeps:next:)`` returns it later.
  /// - Throws: if there are too many titles whose frames have not arrived.
  mutating func add(
    _ title: ProgramLine.Title, at frame: Int, next: Int
  ) throws(ProgramLine.Fault) -> Placed? {
    if frame < taken {
      let place = run.map { $0.stream + max(0, frame - $0.program) } ?? next
      return Placed(title: title, frame: min(place, next))
    }
    if let index = pending.firstIndex(where: { $0.frame == frame }) {
      pending[index].title = title
      return nil
    }
    guard pending.count < Self.limit else {
      throw ProgramLine.Fault("the frames of \(Self.limit) titles have not arrived")
    }
    pending.insert((frame, title), at: pending.firstIndex { $0.frame > frame } ?? pending.endIndex)
    return nil
  }

  /// Takes the next `count` frames of PROGRAM.
  /// - Parameters:
  ///   - keeps: false if all frames are thrown away.
  ///   - next: the number of the next frame of the stream.
  mutating func take(_ count: Int, keeps: Bool, next: Int) -> Taken {
    let dropped = keeps ? min(framesToSkip, count) : count
    if dropped > 0 { run = nil }
    if dropped < count, run == nil { run = (taken + dropped, next) }
    let due = pending.prefix { $0.frame < taken + count }
    pending.removeFirst(due.count)
    let titles = due.map { frame, title in
      Placed(title: title, frame: next + max(0, min(frame - taken, count) - dropped))
    }
    taken += count
    return Taken(dropped: dropped, titles: titles)
  }

  /// Frames that ``take(_:keeps:next:)`` has counted were not written to the stream.
  mutating func lostFrames() { run = nil }
}
