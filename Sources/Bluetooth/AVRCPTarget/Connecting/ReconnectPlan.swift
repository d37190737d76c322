package import NowPlaying

/// When which phone is dialled, as a value: no radio, no clock, and the dice are thrown from a seed.
///
/// The one that was used last is first, then the others, one at a time, as paging keeps the radio
/// busy for five seconds. Who does not answer is tried ever more seldom. Who says no three times is
/// left in peace, until it comes by itself or somebody asks.
///
/// A phone is connected when its remote control is: one that refuses it has a link for a moment all
/// the same, and one that came for something else may have a link for hours.
package struct ReconnectPlan: Sendable {
  /// How an attempt ended.
  package enum Outcome: Hashable, Sendable {
    case connected
    /// It does not answer: out of reach, or switched off.
    case absent
    /// Both dialled at once, or BlueZ was busy with it: BlueZ then drops both attempts.
    case crossed
    /// It does not want to, or its key does not fit.
    case refused
  }

  /// Why a link ended.
  package enum Loss: Hashable, Sendable {
    /// Out of reach, or nobody knows: it may be back at once.
    case faded
    /// Its owner switched it off, or it had enough: it ended the link, or all that the link was for,
    /// and then the kernel here ends the link.
    case byPhone
    /// Somebody here wanted that.
    case byUs
    /// Its key does not fit any more.
    case key
  }

  /// What has become of the link that a phone has.
  fileprivate enum Link {
    case none
    /// It may be there for anything.
    case bare
    /// An attempt to open the remote control was refused over it.
    case refused
    /// The remote control was there.
    case used
  }

  /// What is known of one phone.
  package struct Prospect: Hashable, Sendable {
    /// Unanswered attempts in a row.
    package fileprivate(set) var absences = 0
    /// Crossed attempts in a row.
    package fileprivate(set) var crossings = 0
    /// Refusals in a row.
    package fileprivate(set) var refusals = 0
    /// Nil while it is connected, or left in peace.
    package fileprivate(set) var due: MonotonicInstant?
    /// Its remote control is there.
    package fileprivate(set) var isConnected = false
    fileprivate var link = Link.none
    /// It said no too often, or somebody wants it away.
    package fileprivate(set) var isLeftInPeace = false
  }

  /// Refusals after which it is left in peace.
  package static let refusalLimit = 3
  private static let crossingLimit = 5
  private static let firstWait = Duration.seconds(5)
  private static let longestWait = Duration.seconds(300)
  /// A phone that comes connects one profile after the other.
  private static let profileTime = Duration.seconds(5)
  private static let restTime = Duration.seconds(30)

  private var random: Randomness
  /// Phones that can be dialled, in their order.
  private var order: [String] = []
  /// By address.
  package private(set) var prospects: [String: Prospect] = [:]
  /// Who is being dialled.
  package private(set) var dialled: String?

  /// - Parameter seed: of the jitter; two units with one seed would meet again and again.
  package init(seed: UInt64) { random = Randomness(seed: seed) }

  // MARK: What is there

  /// Phones that can be dialled, in the order of their last use; those with a link; and those among
  /// them whose remote control is connected. Who is new is dialled at once.
  package mutating func update(
    dialable: [String], linked: Set<String>, connected: Set<String>, at now: MonotonicInstant
  ) {
    order = dialable
    let known = linked.union(connected).union(dialable)
    prospects = prospects.filter { known.contains($0.key) }
    if let dialled, !known.contains(dialled) { self.dialled = nil }
    for address in known {
      var prospect = prospects[address] ?? Prospect(due: now)
      if connected.contains(address) {
        prospects[address] = prospect
        hasConnected(address)
        continue
      }
      if prospect.isConnected {
        prospect.isConnected = false
        prospect.due = now.advanced(by: jittered(Self.restTime))
      }
      let isLinked = linked.contains(address)
      if isLinked, prospect.link == .none {
        prospect.link = .bare
        let grace = now.advanced(by: Self.profileTime)
        if dialled != address {
          prospect.due = prospect.due.map { prospect.refusals > 0 ? max($0, grace) : grace }
        }
      } else if !isLinked, dialled != address {
        prospect.link = .none
      }
      prospects[address] = prospect
    }
  }

  /// bluetoothd or its adapter is gone: what is under way is not any more.
  package mutating func interrupt() { dialled = nil }

  // MARK: What happens

  /// Whom to dial now; nil for nobody. It is dialled until ``finished(_:_:at:)``.
  package mutating func next(at now: MonotonicInstant) -> String? {
    guard dialled == nil else { return nil }
    dialled = order.first { prospects[$0]?.due.map { $0 <= now } ?? false }
    return dialled
  }

  /// This one is dialled now, whoever was before.
  package mutating func dial(_ address: String) { dialled = address }

  /// When ``next(at:)`` has somebody.
  package var nextDeadline: MonotonicInstant? {
    dialled == nil ? order.compactMap { prospects[$0]?.due }.min() : nil
  }

  /// An attempt has ended.
  package mutating func finished(_ address: String, _ outcome: Outcome, at now: MonotonicInstant) {
    if dialled == address { dialled = nil }
    if outcome == .connected { return hasConnected(address) }
    // It may have come by itself meanwhile, or been sent away.
    guard var prospect = prospects[address], !prospect.isConnected, !prospect.isLeftInPeace else {
      return
    }
    // BlueZ has one word (`br-connection-create-socket`) for who does not answer and for who refuses
    // the remote's channel; but who refuses has a link.
    if outcome == .refused || outcome == .absent && prospect.link != .none {
      if prospect.link != .none { prospect.link = .refused }
      refuse(&prospect, at: now)
      prospects[address] = prospect
      return
    }
    switch outcome {
    case .connected, .refused: return
    case .absent:
      prospect.absences += 1
      prospect.crossings = 0
    case .crossed where prospect.crossings < Self.crossingLimit:
      // Soon, but not again at the same moment.
      prospect.crossings += 1
      prospect.due = now.advanced(by: .milliseconds(Int(random.next(in: 300...1500))))
      prospects[address] = prospect
      return
    case .crossed: prospect.absences += 1
    }
    prospect.due = now.advanced(by: wait(prospect.absences))
    prospects[address] = prospect
  }

  private mutating func refuse(_ prospect: inout Prospect, at now: MonotonicInstant) {
    prospect.refusals += 1
    prospect.absences += 1
    if prospect.refusals >= Self.refusalLimit {
      prospect.isLeftInPeace = true
      prospect.due = nil
    } else {
      prospect.due = now.advanced(by: wait(prospect.absences))
    }
  }

  /// A link has ended.
  package mutating func lost(_ address: String, _ loss: Loss, at now: MonotonicInstant) {
    guard var prospect = prospects[address], !prospect.isLeftInPeace else { return }
    defer { prospects[address] = prospect }
    prospect.isConnected = false
    if loss == .byUs {
      (prospect.due, prospect.isLeftInPeace) = (nil, true)
      return
    }
    // How an attempt ends, it tells itself.
    guard dialled != address else { return }
    let link = prospect.link
    prospect.link = .none
    let isRefusal =
      loss == .key
      // Unless an attempt has told of it already.
      ? link == .used || link == .bare || prospect.refusals == 0
      // It hung up on an attempt, which BlueZ calls canceled.
      : link == .bare && prospect.crossings > 0
    if isRefusal { return refuse(&prospect, at: now) }
    let due = now.advanced(by: jittered(loss == .faded ? .seconds(2) : Self.restTime))
    // Where the remote control was not there, the end of a link is no reason to hurry.
    prospect.due = link == .used ? due : max(prospect.due ?? due, due)
  }

  /// Somebody asks for it: whatever was before is forgotten, and it is dialled at once.
  package mutating func want(_ address: String, at now: MonotonicInstant) {
    guard let old = prospects[address] else { return }
    prospects[address] = Prospect(due: now, link: old.link)
  }

  private mutating func hasConnected(_ address: String) {
    if dialled == address { dialled = nil }
    prospects[address] = Prospect(isConnected: true, link: .used)
  }

  // MARK: Waiting

  /// 5 s, 10 s, … 5 min, and a fifth more or less.
  private mutating func wait(_ attempts: Int) -> Duration {
    let factor = 1 << min(max(attempts - 1, 0), 10)
    return jittered(min(Self.firstWait * factor, Self.longestWait))
  }

  private mutating func jittered(_ time: Duration) -> Duration {
    time * Int(random.next(in: 800...1200)) / 1000
  }
}

/// SplitMix64: small, and the same everywhere.
private struct Randomness: Sendable {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next(in range: ClosedRange<UInt64>) -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var bits = state
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    bits ^= bits >> 31
    return range.lowerBound + bits % (range.upperBound - range.lowerBound + 1)
  }
}
