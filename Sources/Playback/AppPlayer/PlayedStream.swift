internal import AppStream
internal import AudioEngine
internal import NowPlaying

/// A stream of an app, with its marks, and the frame at which it continues.
///
/// Used on the control thread only.
final class PlayedStream {
  /// The frames of a stream.
  enum Frames {
    case track(TrackStream)
    case live(LiveStream)
  }

  let number: Int
  let frames: Frames
  let format: AppStreamFormat
  /// The number of the track for the engine. A live stream gets a new number for each part that is played.
  private(set) var track: Int
  /// What the frames mean. The content is nil if it stays as it is.
  private var marks = FrameMarks<MediaContent?>()
  /// The content of the last mark that was heard. Nil if no such mark has a content.
  private(set) var content: MediaContent?
  /// The frame that was heard last, or the frame of the last flush.
  private(set) var heard: Int64 = 0
  /// The frame at which the content ends. Nil if it is not known.
  private var end: Int64?
  /// Number of flushes (``MediaPlaybackSnapshot/seekNumber``).
  private(set) var flushes = 0
  private var reportedDrops: Int64 = 0
  /// The frame of the last flush. Frames below it do not count as lost.
  private var flushed: Int64 = 0

  init(_ number: Int, _ frames: Frames, track: Int) {
    self.number = number
    self.frames = frames
    self.track = track
    switch frames {
    case .track(let stream): format = stream.format
    case .live(let stream): format = stream.format
    }
  }

  var isLive: Bool {
    if case .live = frames { true } else { false }
  }

  // MARK: Calls of the app

  func mark(_ mark: FrameMark<MediaContent?>) throws(FrameMarks<MediaContent?>.TooMany) {
    try marks.add(mark, heard: heard)
    noteContent()
  }

  /// Afterwards, the engine must continue at ``position``.
  func flush(next number: UInt64) throws(FlushRefusal) {
    guard number >= UInt64(heard) else { throw .isPast(next: heard) }
    switch frames {
    case .track(let stream): try stream.flush(next: number)
    case .live(let stream): try stream.flush(next: number)
    }
    marks.flush(next: number, heard: heard)
    flushes += 1
    end = nil
    flushed = FrameNumber.clamped(number)
    setHeard(flushed)
  }

  func finish(at number: UInt64) {
    switch frames {
    case .track(let stream): stream.finish(at: number)
    case .live(let stream): stream.finish(at: number)
    }
    end = FrameNumber.clamped(number)
  }

  // MARK: Playing

  /// The request for the engine. A live stream begins with its next frame.
  func request(_ track: Int) -> TrackRequest {
    self.track = track
    switch frames {
    case .track(let stream): return stream.track(id: track)
    case .live(let stream): return stream.track(id: track)
    }
  }

  /// The position for the engine at which the stream continues, in seconds.
  var position: Double { isLive ? 0 : format.seconds(atFrame: heard) }

  /// Call this while the engine plays the stream. `seconds` is the position of the engine.
  func noteHeard(_ seconds: Double) {
    switch frames {
    case .track: setHeard(format.frame(atSeconds: seconds))
    case .live(let stream): setHeard(stream.heardFrame)
    }
  }

  /// Call this when the engine has gone on to another stream: all frames were heard.
  func notePassed() {
    if case .track(let stream) = frames { setHeard(min(end ?? .max, stream.nextFrame)) }
  }

  private func setHeard(_ frame: Int64) {
    heard = max(heard, frame)
    noteContent()
  }

  private func noteContent() {
    if let content = marks.current(heard: heard)?.content { self.content = content }
  }

  /// A live stream is not read while it is not played.
  func stopReading() {
    if case .live(let stream) = frames { stream.stop() }
  }

  /// Frees the frames that are kept for a return to this stream.
  func forget() {
    if case .track(let stream) = frames { stream.forget() }
  }

  /// True if the last frame of the content is heard.
  var hasEnded: Bool { end.map { heard >= $0 } ?? false }

  /// The time in the content that is heard.
  var elapsed: Duration {
    marks.current(heard: heard)?.elapsed(heard: heard, format: format)
      ?? .seconds(format.seconds(atFrame: heard))
  }

  /// The rate and the normal rate of the content. Both are valid in a ``MediaPlaybackSnapshot``.
  var rates: (rate: Double, normal: Double) {
    guard let mark = marks.current(heard: heard), mark.rate > 0, mark.defaultRate > 0 else {
      return (1, 1)
    }
    return (mark.rate, mark.defaultRate)
  }

  /// The frame of the mark that is heard. Nil before the first mark.
  var markFrame: Int64? { marks.current(heard: heard)?.frame }

  /// The time until the next mark is heard. Nil if no mark follows.
  var untilMark: Duration? {
    marks.next(after: heard).map { .seconds(Double($0 - heard) / Double(format.rate)) }
  }

  /// True if frames were lost since the last call, and not flushed.
  func takeLosses() -> Bool {
    let dropped =
      switch frames {
      case .track(let stream): stream.counts.dropped
      case .live(let stream): stream.counts.dropped
      }
    defer { reportedDrops = dropped }
    return heard > flushed && dropped > reportedDrops
  }
}
