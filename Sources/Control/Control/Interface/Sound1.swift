package import BusMethods
package import EventLoop
internal import NowPlaying

/// The streams of sound of a session.
package enum Sound1 {
  package static let interface = MethodTable(
    "Sound1", [openSound.row, mark.row, flush.row, finish.row, closeSound.row],
    signals: [heard.declaration, ran.declaration])

  /// Opens a stream. The answer has the app's end of its socket.
  package static let openSound: ControlMethod<Numbered<SoundFormat>, OpenedSound> = .init(
    "Sound1.OpenSound", .publish,
    takes: .ofSession(SoundFormat(rate: 44_100, channels: 2, samples: .s16)) { field, format in
      var value = SessionCoding.value(of: format)
      try field("format", &value, .properties)
      if field.isReading { format = try SessionCoding.format(value) }
    },
    returns: .record(OpenedSound()) { field, opened in
      var agreed = opened.format.map(SessionCoding.value) ?? .properties([])
      try field("stream", &opened.stream, .count)
      try field("socket", &opened.socket, .descriptorOrNil)
      try field("agreed", &agreed, .properties)
      if field.isReading { opened.format = try SessionCoding.format(agreed) }
    })

  package static let mark: ControlMethod<Numbered<SoundMark>, Void> = .init(
    "Sound1.Mark", .publish,
    takes: .ofStream(SoundMark(frame: 0, time: .zero)) { field, mark in
      var value = SessionCoding.value(of: mark)
      try field("frame", &mark.frame, .frame)
      try field("mark", &value, .properties)
      if field.isReading { mark = try SessionCoding.mark(value, frame: mark.frame) }
    })

  /// The next frame has this number. All frames with lower numbers are thrown away.
  package static let flush: ControlMethod<Numbered<Int>, Void> = .init(
    "Sound1.Flush", .publish, takes: .frameOfStream)

  /// The content ends before the frame with this number.
  package static let finish: ControlMethod<Numbered<Int>, Void> = .init(
    "Sound1.Finish", .publish, takes: .frameOfStream)

  package static let closeSound: ControlMethod<Int, Void> = .init(
    "Sound1.CloseSound", .publish, takes: .one("stream", .count))

  package static let heard: BusSignal<HeardFrame> = .init(
    "Sound1.Heard",
    carries: .record(HeardFrame(stream: 0, frame: 0, at: MonotonicInstant(awake: .zero))) {
      field, heard in
      var (awake, suspended) = (heard.at.awake, heard.at.suspended)
      try field("stream", &heard.stream, .count)
      try field("frame", &heard.frame, .count)
      try field("awake", &awake, .nanoseconds)
      try field("suspended", &suspended, .nanoseconds)
      heard.at = MonotonicInstant(awake: awake, suspended: suspended)
    })

  /// Nil for an event that this program does not know.
  package static let ran: BusSignal<Numbered<SoundEvent?>> = .init(
    "Sound1.Ran",
    carries: .ofStream(nil) { field, event in
      var word = event?.rawValue ?? ""
      try field("what", &word, .text)
      if field.isReading { event = SoundEvent(rawValue: word) }
    })
}

/// A stream that was opened.
package struct OpenedSound: Equatable, Sendable {
  package var stream = 0
  /// The app's end of the socket. Set in each answer.
  package var socket: BusDescriptor?
  package var format: SoundFormat?
}

extension Fields<Numbered<Int>> {
  fileprivate static var frameOfStream: Fields {
    .ofStream(0) { field, frame in try field("frame", &frame, .frame) }
  }
}

extension WireType<Int> {
  /// The number of a frame.
  fileprivate static var frame: Self {
    Self("t", WireType<Int>.count.encode) { value, name in
      guard let number = value.integer, number < SoundMark.frameLimit else {
        throw WireError(name, "expected a number below 2^52")
      }
      return number
    }
  }
}

extension WireType<Duration> {
  fileprivate static var nanoseconds: Self {
    Self("x", { .time($0) }) { value, _ in .nanoseconds(value.integer ?? 0) }
  }
}

extension WireType<BusDescriptor?> {
  /// A descriptor that is set when it is sent.
  fileprivate static var descriptorOrNil: Self {
    Self("h", { $0.map { .descriptor($0) } ?? .boolean(false) }) { value, name in
      try WireType<BusDescriptor>.descriptor.decode(value, name)
    }
  }
}
