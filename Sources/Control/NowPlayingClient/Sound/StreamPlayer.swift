public import Control
internal import EventLoop
public import NowPlaying

/// A stream of sound that the unit plays.
///
/// A program writes frames as long as there is ``room``, and names the content of the frames with ``enqueue(_:at:)``.
/// The unit takes the frames as it plays them, measures the position, and shows the content of a frame when the frame
/// is heard. Frames are counted from 0; ``nextFrame`` is the number of the next one. The numbers only grow, also after
/// a seek, and after a restart of the unit.
///
/// No method blocks. While the unit is away or the session does not play, there is soon no room.
public final class StreamPlayer {
  /// The stream on the unit.
  private enum Link {
    case closed
    case opening
    /// - Parameter base: the number of the frame that has the number 0 on the unit.
    case open(number: Int, socket: BusDescriptor, source: DescriptorSource, base: Int)
    /// The unit has refused the stream.
    case refused
  }

  /// A request to throw frames away. Meanwhile no frame is sent, because after ``finish()`` the unit drops frames that
  /// arrive before the request.
  private enum Flush: Equatable {
    case none
    /// The next frame has this number.
    case needed(Int)
    case sent(Int)
  }

  private struct Mark {
    let frame: Int
    let item: StreamItem
    var isSent = false

    /// The position of a later frame.
    func time(at frame: Int, _ format: SoundFormat) -> Duration {
      item.time + .seconds(Double(frame - self.frame) / Double(format.rate) * item.rate)
    }
  }

  /// The largest number of items that were not heard yet.
  public static let maximumItems = 64

  /// The format of the frames.
  public let format: SoundFormat
  /// Called when frames can be written again after there was no room, and when the stream was opened.
  public var onRoom: (() -> Void)?
  /// Called about once a second while the stream is heard, and at each new item, with the frame that was heard and the
  /// moment at which it was heard.
  public var onHeard: ((_ frame: Int, _ moment: MonotonicInstant) -> Void)?
  /// Called when the unit has no frames to play (`starved`), has frames again (`fed`), or has lost frames (`dropped`).
  public var onEvent: ((SoundEvent) -> Void)?
  /// Called when the stream was opened again after a restart of the unit. The frames from `heard` up to `next` were not
  /// heard. They are lost, but a program can write them again after ``seek(to:)``.
  public var onReopened: ((_ heard: Int, _ next: Int) -> Void)?

  private(set) weak var session: SourceSession?
  private var link = Link.closed
  private var queue: FrameQueue
  /// The items that were not heard yet, after the item that is heard.
  private var marks: [Mark] = []
  private var flush = Flush.none
  private var finishedAt: (frame: Int, isSent: Bool)?
  /// The frame that was heard last, and the frame that is heard next after a seek.
  private var heardFrame = 0
  private var hasNoRoom = false
  private var wasOpen = false

  /// Creates a stream. It is opened with the session that it is added to.
  public init(_ format: SoundFormat) {
    precondition(
      SoundFormat.rates.contains(format.rate)
        && SoundFormat.channelCounts.contains(format.channels),
      "\(format)")
    self.format = format
    queue = FrameQueue(format)
  }

  // MARK: State

  /// The state that the unit shows. The unit takes frames while it is `playing`.
  public var state = MediaPlaybackSnapshot.PlaybackState.stopped {
    didSet { if state != oldValue { session?.setNeedsPublishing() } }
  }

  /// The rate of playback; 0 while nothing plays. Setting a rate above 0 plays, and setting 0 pauses. If a rate is not
  /// the present rate of the content, the frames from ``nextFrame`` on have this rate.
  public var rate: Double {
    get { isPlaying ? contentRate : 0 }
    set {
      guard newValue > 0 else { return pause() }
      let newValue = min(newValue, StreamItem.maximumRate)
      state = .playing(rate: newValue)
      let mark = marks.last
      if newValue != contentRate {
        enqueue(
          StreamItem(
            nil, time: mark?.time(at: nextFrame, format) ?? seconds(nextFrame), rate: newValue,
            defaultRate: mark?.item.defaultRate ?? 1))
      }
    }
  }

  private var contentRate: Double { marks.last?.item.rate ?? 1 }

  /// True while the stream plays or waits for frames.
  public var isPlaying: Bool {
    switch state {
    case .playing, .buffering: true
    case .paused, .interrupted, .stopped: false
    }
  }

  /// Plays, or continues.
  public func play() { state = .playing(rate: contentRate) }

  /// Pauses. The frames that were written stay.
  public func pause() { state = .paused }

  /// Stops. The frames that were not heard are thrown away. The position stays.
  public func stop() {
    state = .stopped
    flushFrames()
  }

  private func seconds(_ frames: Int) -> Duration {
    .seconds(Double(frames) / Double(format.rate))
  }

  // MARK: Frames

  /// The number of frames that ``write(_:)-(UnsafeRawBufferPointer)`` takes now.
  public var room: Int { queue.room }

  /// The number of the next frame that is written.
  public var nextFrame: Int { queue.next }

  /// Writes frames of interleaved samples, as many as there is room for.
  /// - Parameter samples: whole frames. The samples have the type of the format.
  /// - Returns: the number of frames that were taken.
  @discardableResult
  public func write<Sample: SoundSample>(_ samples: [Sample]) -> Int {
    precondition(Sample.samples == format.samples, "the stream has samples \(format.samples)")
    return samples.withUnsafeBytes { write($0) }
  }

  /// Writes frames, as many as there is room for. Little endian.
  /// - Returns: the number of frames that were taken.
  @discardableResult
  public func write(_ frames: UnsafeRawBufferPointer) -> Int {
    let taken = queue.append(frames)
    hasNoRoom = hasNoRoom || queue.room == 0
    sendFrames()
    return taken
  }

  /// Names what is heard from a frame on: a new track, a new title, a chapter.
  /// - Parameter frame: the number of the first frame; nil for the next frame that is written. It must not be below the
  ///   frame of an earlier item.
  /// - Returns: false if ``maximumItems`` items were not heard yet.
  @discardableResult
  public func enqueue(_ item: StreamItem, at frame: Int? = nil) -> Bool {
    let frame = max(frame ?? nextFrame, marks.last?.frame ?? 0, base ?? 0)
    var item = item.valid
    item.content = item.content ?? marks.last?.item.content
    if marks.last?.frame == frame { marks.removeLast() }
    guard marks.count <= Self.maximumItems else { return false }
    marks.append(Mark(frame: frame, item: item))
    session?.application.setNeedsSending()
    return true
  }

  /// Names the content that is heard from the next frame on.
  @discardableResult
  public func enqueue(_ content: any MediaContentRepresentable) -> Bool {
    enqueue(StreamItem(content))
  }

  /// Throws away all frames that were not heard. The next frame is the first frame of `item`.
  public func seek(to item: StreamItem) {
    var item = item.valid
    item.content = item.content ?? currentItem?.content
    flushFrames()
    marks = [Mark(frame: nextFrame, item: item)]
  }

  /// Throws away all frames that were not heard. The next frame has this position in the content that is heard.
  public func seek(to time: Duration) {
    let heard = currentItem
    seek(
      to: StreamItem(
        heard?.content, time: time, rate: heard?.rate ?? 1,
        defaultRate: heard?.defaultRate ?? 1))
  }

  private func flushFrames() {
    queue.clear()
    if var item = currentItem {
      item.time = currentTime
      marks = [Mark(frame: nextFrame, item: item)]
    }
    if base != nil { flush = .needed(nextFrame) }
    finishedAt = nil
    heardFrame = nextFrame
    if hasNoRoom { roomChanged() }
    session?.application.setNeedsSending()
  }

  /// The content ends with the frames that were written. When they were heard, the unit shows that the content ended.
  public func finish() {
    finishedAt = (nextFrame, false)
    session?.application.setNeedsSending()
  }

  // MARK: Position

  private var current: Mark? { marks.last { $0.frame <= heardFrame } ?? marks.first }

  /// The item that is heard.
  public var currentItem: StreamItem? { current?.item }

  /// The position that was heard last.
  public var currentTime: Duration {
    guard let current, current.frame <= heardFrame else {
      return currentItem?.time ?? seconds(heardFrame)
    }
    return current.time(at: heardFrame, format)
  }

  func heard(_ number: Int, at moment: MonotonicInstant) {
    guard case .open(_, _, _, let base) = link else { return }
    let frame = min(max(0, number), SoundMark.frameLimit) + base
    // A report from before a seek is out of date.
    guard frame >= heardFrame else { return }
    heardFrame = frame
    if let index = marks.lastIndex(where: { $0.frame <= frame }) { marks.removeFirst(index) }
    onHeard?(frame, moment)
  }

  /// The content with this identity, if it is heard or follows.
  func content(of id: String) -> MediaContent? {
    marks.lazy.compactMap { $0.item.content }.first { $0.id == id }.map { MediaContent($0) }
  }

  // MARK: The stream on the unit

  /// Nil while the stream is not open.
  var number: Int? {
    if case .open(let number, _, _, _) = link { number } else { nil }
  }

  private var base: Int? {
    if case .open(_, _, _, let base) = link { base } else { nil }
  }

  var isOpening: Bool {
    if case .opening = link { true } else { false }
  }

  func attach(_ session: SourceSession) { self.session = session }

  func detach() { session = nil }

  func open(in session: Int) {
    guard case .closed = link, let application = self.session?.application else { return }
    link = .opening
    application.call(
      Sound1.openSound, Numbered(session, format),
      again: { [weak self] in self?.link = .closed },
      failed: { [weak self] _ in self?.link = .refused },
      done: { [weak self] in self?.opened($0) })
  }

  private func opened(_ opened: OpenedSound) {
    guard case .opening = link, let session, let socket = opened.socket else { return }
    let source = try? DescriptorSource(
      session.application.loop, descriptor: socket.number, events: []
    ) { [weak self] events in
      if events.contains(.hungUp) { self?.brokenOff() } else { self?.sendFrames() }
    }
    guard let source else { return }
    let base = queue.first
    link = .open(number: opened.stream, socket: socket, source: source, base: base)
    flush = .none
    finishedAt?.isSent = false
    rebaseMarks(base)
    let heard = heardFrame
    heardFrame = max(heardFrame, base)
    if wasOpen { onReopened?(heard, base) }
    wasOpen = true
    hasNoRoom = true
    sendFrames()
    session.setNeedsPublishing()
  }

  /// The frames before `base` do not exist for the unit. So the item of this frame begins there.
  private func rebaseMarks(_ base: Int) {
    for index in marks.indices { marks[index].isSent = false }
    guard let index = marks.lastIndex(where: { $0.frame <= base }) else { return }
    var item = marks[index].item
    item.time = marks[index].time(at: base, format)
    marks.replaceSubrange(...index, with: [Mark(frame: base, item: item)])
  }

  /// The stream ends on the unit. The frames that wait are kept.
  func close() {
    if case .open(let number, _, let source, _) = link {
      source.cancel()
      session?.application.call(Sound1.closeSound, number)
    }
    link = .closed
  }

  private func brokenOff() {
    // The connection to the unit ends at the same time, or the unit has closed this stream.
    guard case .open(let number, _, let source, _) = link else { return }
    source.cancel()
    link = .refused
    session?.application.call(Sound1.closeSound, number)
    session?.setNeedsPublishing()
  }

  private func sendFrames() {
    guard case .open(_, let socket, let source, let base) = link, flush == .none else { return }
    while let packet = queue.packet(countedFrom: base) {
      switch packet.withUnsafeBytes({ socket.send($0) }) {
      case .bytes: queue.removePacket()
      case .full: return source.wait(for: .writable)
      case .end: return
      }
    }
    source.wait(for: [])
    if hasNoRoom { roomChanged() }
  }

  private func roomChanged() {
    hasNoRoom = false
    session?.application.loop.defer { [weak self] in self?.onRoom?() }
  }

  /// Sends the items, and what else has changed.
  func sendChanges() {
    if case .closed = link, let session = session?.number { open(in: session) }
    guard case .open(let number, _, _, let base) = link, let application = session?.application
    else { return }
    if case .needed(let frame) = flush, application.takeSoundCall() {
      flush = .sent(frame)
      application.call(
        Sound1.flush, Numbered(number, frame - base),
        again: { [weak self] in self?.flushEnded(frame, .needed(frame)) },
        failed: { [weak self] _ in self?.flushEnded(frame, .none) },
        done: { [weak self] in self?.flushEnded(frame, .none) })
    }
    for index in marks.indices where !marks[index].isSent && application.takeSoundCall() {
      marks[index].isSent = true
      let mark = marks[index]
      application.call(
        Sound1.mark,
        Numbered(
          number,
          SoundMark(
            frame: mark.frame - base, content: mark.item.content.map { MediaContent($0) },
            time: mark.item.time, rate: mark.item.rate, defaultRate: mark.item.defaultRate)),
        again: { [weak self] in self?.markWasRefused(mark.frame) })
    }
    if let (frame, isSent) = finishedAt, !isSent, application.takeSoundCall() {
      finishedAt?.isSent = true
      application.call(
        Sound1.finish, Numbered(number, frame - base),
        again: { [weak self] in self?.finishedAt?.isSent = false })
    }
  }

  private func flushEnded(_ frame: Int, _ next: Flush) {
    // There can be a later seek.
    guard flush == .sent(frame) else { return }
    flush = next
    sendFrames()
  }

  private func markWasRefused(_ frame: Int) {
    for index in marks.indices where marks[index].frame == frame { marks[index].isSent = false }
  }
}
