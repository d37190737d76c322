internal import NowPlaying

/// Keeps the volumes that phones show equal to the volume of the unit. A value without I/O and without a clock.
///
/// A volume is one of the 128 steps of AVRCP. A phone has only 15 to 30 steps, so it often reports a step that differs
/// from the step that it was told.
struct VolumeLink {
  /// Phones send a level of their own when they connect. During this time after the connection, the unit ignores the
  /// level of the phone and sends its own level to the phone.
  static let connectingTime = Duration.seconds(2)
  /// A phone that was told a level reports, within this time, the nearest step that it has: the echo. BlueZ also
  /// reports each level that the unit has set. If a knob turns fast, the unit tells several levels in this time, and
  /// several echoes follow.
  static let echoTime = Duration.seconds(1)
  /// Half of the largest distance between two neighbouring steps of a phone, in AVRCP steps. An echo differs by at most
  /// this number from the step that the phone was told.
  private static let echoSteps = 4
  /// An increase by more than this number of steps is a jump: the phone was set to another level while it was not
  /// connected.
  private static let jumpSteps = 16

  private struct Transport {
    /// The last step that the phone was told or has set itself.
    var agreed: Int
    let since: MonotonicInstant
    /// The steps that the phone was told within the last ``VolumeLink/echoTime`` and since it last set a step itself.
    /// Oldest first.
    var told: [(step: Int, at: MonotonicInstant)] = []

    mutating func tell(_ step: Int, at now: MonotonicInstant) {
      agreed = step
      told.removeAll { now.wholeTime(since: $0.at) >= VolumeLink.echoTime }
      // Each step is stored once, so at most 128 entries exist.
      told.removeAll { $0.step == step }
      told.append((step, now))
    }

    /// Records a step that the phone has set itself. By then the phone has reported the echoes of all earlier steps, so
    /// they are not expected any more.
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

  /// What the unit must do after a phone has reported a step.
  enum Answer: Equatable {
    /// The unit sets its volume to this step.
    case obey(Int)
    /// The phone must be told the step of the unit.
    case tell
    case nothing
  }

  private var transports: [String: Transport] = [:]

  /// Returns the transports whose phones must be told this step, and records that they were told.
  mutating func transportsToTell(_ step: Int, at now: MonotonicInstant) -> [String] {
    let paths = transports.filter { $0.value.agreed != step }.keys.sorted()
    for path in paths {
      transports[path]?.tell(step, at: now)
    }
    return paths
  }

  /// Adds a transport. The caller must then tell its phone the step of the unit; see ``transportsToTell(_:at:)``.
  /// - Parameter step: the step that BlueZ reports; nil if BlueZ reports none.
  mutating func add(_ path: String, step: Int?, at now: MonotonicInstant) {
    transports[path] = Transport(agreed: step ?? -1, since: now)
  }

  mutating func remove(_ path: String) { transports[path] = nil }

  mutating func removeAll() { transports = [:] }

  /// Decides about a step that BlueZ reports for a transport.
  /// - Parameters:
  ///   - current: the step of the unit.
  ///   - maximum: a jump raises the volume of the unit to at most this step.
  ///   - remoteSince: the time at which the remote control of the phone was connected. The phone sends volumes over the
  ///     remote control, which can be connected later than the transport.
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
