/// How a command reached the head unit.
public struct InputPath: Hashable, Sendable, CustomStringConvertible {
  /// For a trace.
  public let description: String
  /// Whether it can bring one press twice within a moment: contacts bounce, radio frames are sent
  /// again. What people typed does not.
  public let canBounce: Bool
  /// Tells input paths of one kind apart: each input device is one.
  public let deviceNumber: Int

  /// An input path of a surface's own.
  public init(_ name: String, canBounce: Bool, deviceNumber: Int = 0) {
    description = name
    self.canBounce = canBounce
    self.deviceNumber = deviceNumber
  }

  /// A method call of bluetoothd.
  public static let dbus = InputPath("dbus", canBounce: true)
  /// A key of an input device, the phone's own one too.
  public static let keys = InputPath("keys", canBounce: true)
  /// A key of one of several.
  public static func keys(deviceNumber: Int) -> InputPath {
    InputPath("keys", canBounce: true, deviceNumber: deviceNumber)
  }
  /// A finger.
  public static let touch = InputPath("touch", canBounce: true)
  /// A line of text.
  public static let text = InputPath("text", canBounce: false)
  /// The control socket.
  public static let socket = InputPath("socket", canBounce: false)
}

/// Finds out which arrivals are one press (C9), as a value.
///
/// A phone's press can come as a D-Bus call, as a key of its input device, or as both. So the same
/// command from the same hand on *another* input path, within ``acrossPaths``, is the same press. On
/// the *same* input path it is another one, unless it comes faster than fingers can, within ``bounce`` of
/// the last arrival there: a controller that sends its frame again and again while a key is held
/// presses once. Each press is completed by at most one arrival per input path; two quick presses that
/// both come twice are two. Whose hand it is: see ``PressOrigin``.
public struct PressMerger: Equatable, Sendable {
  /// What an arrival is.
  public enum Classification: Equatable, Sendable {
    /// A press of its own.
    case new
    /// The same as that earlier one.
    case same(as: Int)
    /// A key that is held down (C9).
    case keyRepeat
  }

  private struct Press: Equatable, Sendable {
    let number: Int
    let request: CommandRequest
    let surface: SurfaceID
    let origin: PressOrigin?
    let at: MonotonicInstant
    /// On which input paths it came, and when last.
    var arrivals: [InputPath: MonotonicInstant]

    var latest: MonotonicInstant { arrivals.values.max() ?? at }

    func isSameOrigin(_ surface: SurfaceID, _ origin: PressOrigin?) -> Bool {
      guard let mine = self.origin, let origin else { return self.surface == surface }
      return mine.id == origin.id
    }
  }

  /// Presses that are looked back at. A key that is judged when it is let go bears the time of its
  /// press, so they are kept for longer than the windows are wide.
  private static let memory = Duration.seconds(3)
  private static let capacity = 64

  /// How far apart two input paths may bring one press. bluetoothd takes 8 to 14 ms to either; a loaded
  /// board many times that. Two presses of a thumb are 150 ms apart or more.
  public let acrossPaths: Duration
  /// How soon the same input path may bring one press twice. Nobody presses 25 times a second.
  public let bounce: Duration
  private var recent: [Press] = []

  /// The windows can be set for a surface that is known to need others.
  public init(acrossPaths: Duration = .milliseconds(150), bounce: Duration = .milliseconds(40)) {
    self.acrossPaths = acrossPaths
    self.bounce = bounce
  }

  /// Judges an arrival, and remembers it under `number` if it is a press of its own.
  public mutating func judge(
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

  /// The kernel stamps a key when it is pressed, a call is stamped when it is read: the later
  /// arrival may bear the earlier time.
  private func distance(_ one: MonotonicInstant, _ other: MonotonicInstant) -> Duration {
    max(one.wholeTime(since: other), other.wholeTime(since: one))
  }
}
