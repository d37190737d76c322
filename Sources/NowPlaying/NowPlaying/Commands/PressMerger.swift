/// The way by which a command reached the head unit.
public struct InputPath: Hashable, Sendable, CustomStringConvertible {
  /// Text for traces.
  public let description: String
  /// True if one press can arrive twice within a few milliseconds, because the contacts of a key bounce or a radio link
  /// repeats a message. False for typed text.
  public let canBounce: Bool
  /// Distinguishes input paths of one kind: each input device has its own number.
  public let deviceNumber: Int

  /// An input path that a surface defines itself.
  public init(_ name: String, canBounce: Bool, deviceNumber: Int = 0) {
    description = name
    self.canBounce = canBounce
    self.deviceNumber = deviceNumber
  }

  /// A method call from bluetoothd.
  public static let dbus = InputPath("dbus", canBounce: true)
  /// A key of an input device. This includes the input device that bluetoothd creates for a phone.
  public static let keys = InputPath("keys", canBounce: true)
  /// A key of one of several input devices.
  public static func keys(deviceNumber: Int) -> InputPath {
    InputPath("keys", canBounce: true, deviceNumber: deviceNumber)
  }
  /// A touch of a screen.
  public static let touch = InputPath("touch", canBounce: true)
  /// A typed line of text.
  public static let text = InputPath("text", canBounce: false)
  /// The control socket.
  public static let socket = InputPath("socket", canBounce: false)
}

/// Decides which arrivals belong to one press (C9). This is a value without a clock.
///
/// A phone's press can arrive as a D-Bus call, as a key of its input device, or as both. So if the same command from
/// the same origin arrives on *another* input path within ``acrossPaths``, it is the same press. On the *same* input
/// path, a second arrival within ``bounce`` after the last arrival is the same press, because fingers cannot press so
/// fast. So if an AVRCP controller quickly repeats the message of a held key, all these arrivals are one press. An
/// arrival after a longer pause on this path is a new press.
///
/// Within ``acrossPaths``, each press accepts only one arrival from each other input path. So two quick presses that
/// both arrive on two input paths stay two presses. For the origin see ``PressOrigin``.
public struct PressMerger: Equatable, Sendable {
  /// The decision about one arrival.
  public enum Classification: Equatable, Sendable {
    /// A new press.
    case new
    /// The same press as the earlier press with this number.
    case same(as: Int)
    /// The repetition of a held key (C9).
    case keyRepeat
  }

  private struct Press: Equatable, Sendable {
    let number: Int
    let request: CommandRequest
    let surface: SurfaceID
    let origin: PressOrigin?
    let at: MonotonicInstant
    /// The last arrival on each input path.
    var arrivals: [InputPath: MonotonicInstant]

    var latest: MonotonicInstant { arrivals.values.max() ?? at }

    func isSameOrigin(_ surface: SurfaceID, _ origin: PressOrigin?) -> Bool {
      guard let own = self.origin, let origin else { return self.surface == surface }
      return own.isSameDevice(as: origin)
    }
  }

  /// The time for which presses are kept. Some keys send their command only when they are released, seconds after the
  /// press. The merger compares the times of the presses, so it keeps presses for longer than ``acrossPaths`` and
  /// ``bounce``.
  private static let memory = Duration.seconds(3)
  private static let capacity = 64

  /// Maximum time between the arrivals of one press on two input paths. bluetoothd takes 8 to 14 ms for each of the two
  /// paths, and many times longer on a board under load. Two presses of a thumb are at least 150 ms apart.
  public let acrossPaths: Duration
  /// Maximum time between two arrivals of one press on the same input path. The default of 40 ms is safe, because no
  /// person presses 25 times a second.
  public let bounce: Duration
  private var recent: [Press] = []

  /// Creates a merger. The defaults suit the surfaces of the head unit. Other surfaces can need other time limits.
  public init(acrossPaths: Duration = .milliseconds(150), bounce: Duration = .milliseconds(40)) {
    self.acrossPaths = acrossPaths
    self.bounce = bounce
  }

  /// Classifies an arrival. A new press is stored with the number `number`.
  public mutating func classify(
    _ request: CommandRequest, from surface: SurfaceID, of origin: PressOrigin? = nil,
    on inputPath: InputPath, isRepeat: Bool, number: Int, at now: MonotonicInstant
  ) -> Classification {
    if isRepeat { return request.isIncrement ? .new : .keyRepeat }
    recent.removeAll { now.wholeTime(since: $0.latest) > Self.memory }
    let alike = recent.indices.filter {
      recent[$0].request == request && recent[$0].isSameOrigin(surface, origin)
    }
    if let other = alike.first(where: {
      recent[$0].arrivals[inputPath] == nil && distance(recent[$0].at, now) <= acrossPaths
    }) {
      recent[other].arrivals[inputPath] = now
      return .same(as: recent[other].number)
    }
    if inputPath.canBounce, !request.isIncrement,
      let last = alike.last(where: {
        recent[$0].arrivals[inputPath].map { distance($0, now) <= bounce } ?? false
      })
    {
      recent[last].arrivals[inputPath] = now
      return .same(as: recent[last].number)
    }
    if recent.count == Self.capacity { recent.removeFirst() }
    recent.append(
      Press(
        number: number, request: request, surface: surface, origin: origin, at: now,
        arrivals: [inputPath: now]))
    return .new
  }

  /// The time between two arrivals, in either order. The kernel records the time of a key when the key is pressed, but
  /// a call gets its time when the program reads it. So the arrival that is handled later can have the earlier time.
  private func distance(_ one: MonotonicInstant, _ other: MonotonicInstant) -> Duration {
    max(one.wholeTime(since: other), other.wholeTime(since: one))
  }
}
