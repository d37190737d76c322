/// How a command reached the head unit.
public struct Road: Hashable, Sendable, CustomStringConvertible {
  /// For a trace.
  public let description: String
  /// Whether it can bring one press twice within a moment: contacts bounce, radio frames are sent
  /// again. What people typed does not.
  public let canBounce: Bool

  /// A road of a surface's own.
  public init(_ name: String, canBounce: Bool) {
    description = name
    self.canBounce = canBounce
  }

  /// A method call of bluetoothd.
  public static let dbus = Road("dbus", canBounce: true)
  /// A key of an input device, the phone's own one too.
  public static let keys = Road("keys", canBounce: true)
  /// A finger.
  public static let touch = Road("touch", canBounce: true)
  /// A line of text.
  public static let text = Road("text", canBounce: false)
  /// The control socket.
  public static let socket = Road("socket", canBounce: false)
}

/// Finds out which arrivals are one press (C9), as a value.
///
/// A phone's press can come as a D-Bus call, as a key of its input device, or as both. So the same
/// command from the same surface on *another* road, within ``acrossRoads``, is the same press. On
/// the *same* road it is another one, unless it comes faster than fingers can, within ``bounce``.
/// Each press is completed by at most one arrival per road; two quick presses that both come
/// twice are two.
public struct PressMerger: Equatable, Sendable {
  /// What an arrival is.
  public enum Judgement: Equatable, Sendable {
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
    let at: MonotonicInstant
    var roads: Set<Road>
  }

  /// How far apart two roads may bring one press. bluetoothd takes 8 to 14 ms to either; a loaded
  /// board many times that. Two presses of a thumb are 150 ms apart or more.
  public let acrossRoads: Duration
  /// How soon the same road may bring one press twice. Nobody presses 25 times a second.
  public let bounce: Duration
  private var recent: [Press] = []

  /// The windows can be set for a surface that is known to need others.
  public init(acrossRoads: Duration = .milliseconds(150), bounce: Duration = .milliseconds(40)) {
    self.acrossRoads = acrossRoads
    self.bounce = bounce
  }

  /// Judges an arrival, and remembers it under `number` if it is a press of its own.
  public mutating func judge(
    _ request: CommandRequest, from surface: SurfaceID, on road: Road, isRepeat: Bool,
    number: Int, at now: MonotonicInstant
  ) -> Judgement {
    if isRepeat { return request.isIncrement ? .new : .keyRepeat }
    let window = max(acrossRoads, bounce)
    recent.removeAll { now.wholeTime(since: $0.at) > window }
    let alike = recent.indices.filter {
      recent[$0].request == request && recent[$0].surface == surface
    }
    if let other = alike.first(where: {
      !recent[$0].roads.contains(road) && distance(recent[$0].at, now) <= acrossRoads
    }) {
      recent[other].roads.insert(road)
      return .same(as: recent[other].number)
    }
    if road.canBounce, !request.isIncrement,
      let last = alike.last(where: {
        recent[$0].roads.contains(road) && distance(recent[$0].at, now) <= bounce
      })
    {
      return .same(as: recent[last].number)
    }
    recent.append(
      Press(number: number, request: request, surface: surface, at: now, roads: [road]))
    return .new
  }

  /// The kernel stamps a key when it is pressed, a call is stamped when it is read: the later
  /// arrival may bear the earlier time.
  private func distance(_ one: MonotonicInstant, _ other: MonotonicInstant) -> Duration {
    max(one.wholeTime(since: other), other.wholeTime(since: one))
  }
}
