internal import Bluez
internal import EventLoop
package import NowPlaying

/// Decides when each phone is dialled. A value without I/O and without a clock; the random delays are computed from a
/// seed.
///
/// A device is *proven* if it has pressed a key or is a source of sound. A device that is not proven can announce a
/// remote control and accept a connection to it without ever pressing a key. So such a device is dialled only
/// ``unprovenLimit`` times, even if it answers. Further attempts follow after the device has connected by itself or a
/// person has requested a connection.
///
/// Proven devices are dialled before other devices, and otherwise the phone that was used last comes first. Phones are
/// dialled one at a time, because paging occupies the controller for five seconds. Each time that a phone does not
/// answer, the wait before the next attempt becomes longer, up to a limit. A phone that has refused three times is not
/// dialled until the phone connects by itself or a person requests a connection.
///
/// A phone that ends a connection is dialled once more after a rest. If the phone ends that connection too, a person at
/// the phone probably does not want the connection. So the phone is not dialled until it connects by itself.
///
/// A phone counts as connected when its sound or its remote control (AVRCP) is connected. A link alone is not enough. A
/// phone that refuses the remote control also has a link for a moment, and a phone that connected for another purpose
/// can have a link for hours.
package struct ReconnectPlan: Sendable {
  /// The result of an attempt.
  package enum Outcome: Hashable, Sendable {
    case connected
    /// The phone does not answer, because the phone is out of reach or switched off.
    case absent
    /// Both sides dialled at the same time, and BlueZ dropped both attempts. Or BlueZ was busy with this phone.
    case crossed
    /// The phone refused the connection, or the secret key of the bond does not match.
    case refused
  }

  /// The reason why a link ended.
  package enum Loss: Hashable, Sendable {
    /// The phone is out of reach, or the reason is unknown. The phone may return at any moment.
    case unreachable
    /// The phone ended the link, for example because its Bluetooth was switched off. Or the phone closed all channels,
    /// and then the kernel of the unit ended the link.
    case byPhone
    /// A person at the unit ended the link.
    case byUnit
    /// The secret key of the bond does not match any more.
    case keyMismatch
  }

  /// What the present link of a phone was used for.
  fileprivate enum Link {
    case none
    /// A link for an unknown purpose.
    case bare
    /// An attempt to connect the remote control was refused over this link.
    case refused
    /// The sound or the remote control was connected over this link.
    case used
  }

  /// State of one phone.
  package struct Candidate: Hashable, Sendable {
    /// Failed attempts in a row. The wait before the next attempt depends on this number. The first five crossed
    /// attempts in a row are not included; they are counted only in ``crossings``.
    package fileprivate(set) var absences = 0
    /// Crossed attempts in a row.
    package fileprivate(set) var crossings = 0
    /// Refusals in a row.
    package fileprivate(set) var refusals = 0
    /// The time at which the phone is dialled next. Nil while the phone is connected, or if ``isSuspended``.
    package fileprivate(set) var due: MonotonicInstant?
    /// True while the sound or the remote control of the phone is connected.
    package fileprivate(set) var isConnected = false
    fileprivate var link = Link.none
    /// True if the unit does not dial the phone. Possible reasons: the phone refused too often, it is not proven and
    /// was dialled ``unprovenLimit`` times, a person at the unit has disconnected it, or it has ended a connection that
    /// the unit had begun.
    package fileprivate(set) var isSuspended = false
    /// True if the device has pressed a key or is a source of sound.
    package fileprivate(set) var isProven = false
    /// Attempts since the device connected by itself. Crossed attempts are not counted.
    package fileprivate(set) var attempts = 0
    /// True if the present link was made by an attempt of the unit.
    fileprivate var isDialledLink = false

    fileprivate mutating func suspend() { (due, isSuspended) = (nil, true) }
  }

  /// Number of refusals after which a phone is not dialled any more.
  package static let refusalLimit = 3
  /// Number of attempts after which a device that is not proven is not dialled any more.
  package static let unprovenLimit = 4
  private static let crossingLimit = 5
  private static let firstWait = Duration.seconds(5)
  private static let longestWait = Duration.seconds(300)
  /// The time that a phone needs to open its profiles, one after the other, after it has connected by itself. The unit
  /// does not dial the phone during this time.
  private static let profileTime = Duration.seconds(5)
  private static let restTime = Duration.seconds(30)

  private var random: Randomness
  /// Phones that can be dialled, in order of preference.
  private var order: [String] = []
  /// The state of each phone, keyed by the address of the phone.
  package private(set) var candidates: [String: Candidate] = [:]
  /// Address of the phone that is being dialled.
  package private(set) var dialled: String?

  /// - Parameter seed: the seed of the random delays. Two units with the same seed would dial at the same moments again
  ///   and again.
  package init(seed: UInt64) { random = Randomness(seed: seed) }

  // MARK: Current devices

  /// Updates the plan. A phone that is new in the plan and has no link is due at once.
  /// - Parameters:
  ///   - dialable: phones that can be dialled, in order of preference. Proven phones are dialled before all other
  ///     phones.
  ///   - linked: phones that have a link.
  ///   - connected: phones whose sound or remote control is connected.
  ///   - proven: the devices that have pressed a key or are sources of sound.
  package mutating func update(
    dialable: [String], linked: Set<String>, connected: Set<String>, proven: Set<String>,
    at now: MonotonicInstant
  ) {
    order = dialable.filter(proven.contains) + dialable.filter { !proven.contains($0) }
    let known = linked.union(connected).union(dialable)
    candidates = candidates.filter { known.contains($0.key) }
    if let dialled, !known.contains(dialled) { self.dialled = nil }
    for address in known {
      var candidate = candidates[address] ?? Candidate(due: now)
      if proven.contains(address), !candidate.isProven { prove(&candidate, at: now) }
      candidate.isProven = proven.contains(address)
      let isLinked = linked.contains(address)
      if isLinked, candidate.link == .none { candidate.isDialledLink = dialled == address }
      if connected.contains(address) {
        candidates[address] = candidate
        hasConnected(address)
        continue
      }
      if candidate.isConnected {
        candidate.isConnected = false
        plan(&candidate, at: now.advanced(by: jittered(Self.restTime)))
      }
      if isLinked, candidate.link == .none {
        candidate.link = .bare
        let grace = now.advanced(by: Self.profileTime)
        if dialled != address {
          candidate.due = candidate.due.map { candidate.refusals > 0 ? max($0, grace) : grace }
        }
      } else if !isLinked, dialled != address {
        candidate.link = .none
      }
      candidates[address] = candidate
    }
  }

  /// Must be called when bluetoothd has ended. The attempt in progress is dropped.
  package mutating func interrupt() { dialled = nil }

  // MARK: Events

  /// Returns the phone to dial now. Nil if no phone is due, or if a phone is already being dialled. The plan treats the
  /// returned phone as being dialled until ``finished(_:_:at:)`` is called.
  package mutating func next(at now: MonotonicInstant) -> String? {
    guard dialled == nil else { return nil }
    dialled = order.first { candidates[$0]?.due.map { $0 <= now } ?? false }
    return dialled
  }

  /// Sets this phone as the phone that is being dialled.
  package mutating func dial(_ address: String) { dialled = address }

  /// The time at which ``next(at:)`` returns a phone. Nil while a phone is being dialled, or if no attempt is planned.
  package var nextDeadline: MonotonicInstant? {
    dialled == nil ? order.compactMap { candidates[$0]?.due }.min() : nil
  }

  /// Records the result of an attempt.
  package mutating func finished(_ address: String, _ outcome: Outcome, at now: MonotonicInstant) {
    if dialled == address { dialled = nil }
    if outcome != .crossed { candidates[address]?.attempts += 1 }
    if outcome == .connected { return hasConnected(address) }
    // The phone may have connected by itself meanwhile, or a person may have disconnected it. Then the result of the
    // attempt does not matter.
    guard var candidate = candidates[address], !candidate.isConnected, !candidate.isSuspended else {
      return
    }
    // BlueZ has one error text (`br-connection-create-socket`) for two cases: the phone does not answer, or the phone
    // refuses the channel of the remote control. The phone has a link only in the second case.
    if outcome == .refused || outcome == .absent && candidate.link != .none {
      if candidate.link != .none { candidate.link = .refused }
      refuse(&candidate, at: now)
      candidates[address] = candidate
      return
    }
    switch outcome {
    case .connected, .refused: return
    case .absent:
      candidate.absences += 1
      candidate.crossings = 0
    case .crossed where candidate.crossings < Self.crossingLimit:
      // The next attempt comes soon, but at a random moment, so that the attempts do not cross again.
      candidate.crossings += 1
      candidate.due = now.advanced(by: .milliseconds(Int(random.next(in: 300...1500))))
      candidates[address] = candidate
      return
    case .crossed: candidate.absences += 1
    }
    plan(&candidate, at: now.advanced(by: wait(candidate.absences)))
    candidates[address] = candidate
  }

  /// Plans the next attempt. If the device is not proven and was dialled often enough, no attempt follows.
  private func plan(_ candidate: inout Candidate, at due: MonotonicInstant) {
    let isExhausted = !candidate.isProven && candidate.attempts >= Self.unprovenLimit
    if isExhausted { candidate.suspend() } else { candidate.due = due }
  }

  /// Ends the suspension of a device that has become proven, unless the device has refused too often.
  private func prove(_ candidate: inout Candidate, at now: MonotonicInstant) {
    guard candidate.isSuspended, candidate.refusals < Self.refusalLimit else { return }
    candidate.isSuspended = false
    candidate.due = now
  }

  private mutating func refuse(_ candidate: inout Candidate, at now: MonotonicInstant) {
    candidate.refusals += 1
    candidate.absences += 1
    if candidate.refusals >= Self.refusalLimit {
      candidate.suspend()
    } else {
      plan(&candidate, at: now.advanced(by: wait(candidate.absences)))
    }
  }

  /// Records the end of a link.
  package mutating func lost(_ address: String, _ loss: Loss, at now: MonotonicInstant) {
    guard var candidate = candidates[address], !candidate.isSuspended else { return }
    defer { candidates[address] = candidate }
    candidate.isConnected = false
    if loss == .byUnit { return candidate.suspend() }
    // If this phone is being dialled, `finished` records the result.
    guard dialled != address else { return }
    let link = candidate.link
    candidate.link = .none
    // BlueZ can report the end of one link twice. At the second report, `link` is already `none`.
    let endsConnectionOfUnit =
      candidate.isProven && candidate.isDialledLink && (link == .used || link == .none)
      && candidate.refusals == 0 && candidate.crossings == 0
    if loss == .byPhone, endsConnectionOfUnit { return candidate.suspend() }
    let isRefusal =
      loss == .keyMismatch
      // If an attempt over this link was refused, that refusal is counted already.
      ? link == .used || link == .bare || candidate.refusals == 0
      // If the phone ended the link during an attempt, BlueZ has reported that attempt as canceled, and the plan has
      // counted the attempt as crossed.
      : link == .bare && candidate.crossings > 0
    if isRefusal { return refuse(&candidate, at: now) }
    let due = now.advanced(by: jittered(loss == .unreachable ? .seconds(2) : Self.restTime))
    // If neither sound nor remote control was connected over the link, the end of the link does not shorten the wait.
    plan(&candidate, at: link == .used ? due : max(candidate.due ?? due, due))
  }

  /// Makes a phone due at once, because a person has requested a connection. Earlier failures are forgotten.
  package mutating func makeDue(_ address: String, at now: MonotonicInstant) {
    guard let old = candidates[address] else { return }
    candidates[address] = Candidate(due: now, link: old.link, isProven: old.isProven)
  }

  private mutating func hasConnected(_ address: String) {
    if dialled == address { dialled = nil }
    let old = candidates[address]
    let isDialled = old?.isDialledLink ?? false
    candidates[address] = Candidate(
      isConnected: true, link: .used, isProven: old?.isProven ?? false,
      attempts: isDialled ? old?.attempts ?? 0 : 0, isDialledLink: isDialled)
  }

  // MARK: Waiting

  /// The wait after this number of failed attempts: 5 s, 10 s, 20 s and so on, up to 5 min. Each wait varies at random
  /// by ± 20 %.
  private mutating func wait(_ attempts: Int) -> Duration {
    let factor = 1 << min(max(attempts - 1, 0), 10)
    return jittered(min(Self.firstWait * factor, Self.longestWait))
  }

  private mutating func jittered(_ time: Duration) -> Duration {
    time * Int(random.next(in: 800...1200)) / 1000
  }
}

// Translates errors and reasons of BlueZ for the plan.
extension ReconnectPlan.Outcome {
  init(_ error: BusError) {
    if case .remote(let name, let message) = error {
      self.init(errorName: name, message: message)
    } else {
      self = .absent
    }
  }

  /// Reads an error of BlueZ. The messages come from BlueZ's function `btd_error_bredr_str`, or are error texts of the
  /// system.
  package init(errorName name: String, message: String) {
    let busy = ["br-connection-busy", "br-connection-canceled", "Resource temporarily unavailable"]
    let refused = [
      "br-connection-refused", "br-connection-aborted-by-remote", "br-connection-key-missing",
      "br-connection-profile-unavailable", "br-connection-not-supported", "Connection refused",
      "Permission denied", "Operation not permitted",
    ]
    if name == BluezNames.errorPrefix + "InProgress" || busy.contains(message) {
      self = .crossed
    } else if name == BluezNames.errorPrefix + "AlreadyConnected"
      || message == "br-connection-already-connected"
    {
      self = .connected
    } else if refused.contains(message) || name == BluezNames.errorPrefix + "AuthenticationRejected"
      || name == BluezNames.errorPrefix + "NotAvailable"
    {
      self = .refused
    } else {
      self = .absent
    }
  }
}

extension ReconnectPlan.Loss {
  /// The reason that BlueZ (5.80 and later) gives, such as `Timeout`.
  package init(reason: String) {
    self =
      switch reason {
      // The kernel reports "Local" also if it ended the link because the phone had stopped using the link. If a person
      // at the unit ends a link, ``Connections/willDisconnect(_:)`` has already stored `byUnit`, so "Local" has no
      // effect.
      case "Remote", "Local": .byPhone
      case "Authentication": .keyMismatch
      default: .unreachable
      }
  }
}
