internal import NowPlaying

/// Keeps the volume of the unit and the volumes that phones show together. A value without I/O and without a clock.
///
/// Volumes are in the 128 steps of AVRCP. Phones have 15 to 30 steps, so a phone often shows another step than it was
/// told.
struct VolumeLink {
  /// Phones send a level of their own when they connect. Within this time after the connection, the phone gets the
  /// level of the unit instead.
  static let connectingTime = Duration.seconds(2)
  /// A phone that was told a level sends back the nearest step that it has, within this time. BlueZ also reports each
  /// level that the unit has set. A knob that turns fast tells several levels in this time.
  static let echoTime = Duration.seconds(1)
  /// Half of the largest step of a phone.
  private static let echoSteps = 4
  /// A larger step up is a jump: a phone was set to another level while it was not connected.
  private static let jumpSteps = 16

  private struct Transport {
    /// The step that the phone was told, or that it has set.
    var agreed: Int
    let since: MonotonicInstant
    /// The steps that the phone was told in the last ``VolumeLink/echoTime``, and after the last step that it has set
    /// itself. The latest is last.
    var told: [(step: Int, at: MonotonicInstant)] = []

    mutating func tell(_ step: Int, at now: MonotonicInstant) {
      agreed = step
      told.removeAll { now.wholeTime(since: $0.at) >= VolumeLink.echoTime }
      // There are only 128 steps.
      told.removeAll { $0.step == step }
      told.append((step, now))
    }

    /// The phone has set a step of its own. It has reported the steps that it was told before.
    mutating func agree(_ step: Int) {
      agreed = step
      told = []
    }

    func isEcho(_ step: Int, at now: MonotonicInstant) -> Bool {
      told.contains {
        now.wholeTime(since: $0.at) < VolumeLink.echoTime
          && abs(step - $0.step) <= VolumeLink.echoSteps
      }
    }
  }

  /// What follows from a step that a phone has set.
  enum Answer: Equatable {
    /// The unit takes this step.
    case obey(Int)
    /// The phone must be told the step of the unit.
    case tell
    case nothing
  }

  private var transports: [String: Transport] = [:]

  /// The transports whose phones must be told this step. They count as told.
  mutating func transportsToTell(_ step: Int, at now: MonotonicInstant) -> [String] {
    let paths = transports.filter { $0.value.agreed != step }.keys.sorted()
    for path in paths {
      transports[path]?.tell(step, at: now)
    }
    return paths
  }

  /// Adds a transport. Its phone has to be told the step of the unit.
  /// - Parameter step: the step that BlueZ reports; nil if there is none.
  mutating func add(_ path: String, step: Int?, at now: MonotonicInstant) {
    transports[path] = Transport(agreed: step ?? -1, since: now)
  }

  mutating func remove(_ path: String) { transports[path] = nil }

  mutating func removeAll() { transports = [:] }

  /// Decides about a step that BlueZ reports for a transport.
  /// - Parameters:
  ///   - current: the step of the unit.
  ///   - maximum: a jump goes at most to this step.
  ///   - remoteSince: when the remote control of the phone was connected, over which it sends volumes. It can be later
  ///     than the transport.
  mutating func received(
    _ step: Int, from path: String, current: Int, maximum: Int,
    remoteSince: MonotonicInstant? = nil, at now: MonotonicInstant
  ) -> Answer {
    guard let transport = transports[path], transport.agreed != step else { return .nothing }
    let since = max(transport.since, remoteSince ?? transport.since)
    if now.wholeTime(since: since) < Self.connectingTime {
      transports[path]?.agreed = step
      return .tell
    }
    if transport.isEcho(step, at: now) { return .nothing }
    transports[path]?.agree(step)
    guard step - current > Self.jumpSteps else { return step == current ? .nothing : .obey(step) }
    let limited = min(step, max(current, maximum))
    return limited == current ? .tell : .obey(limited)
  }
}
