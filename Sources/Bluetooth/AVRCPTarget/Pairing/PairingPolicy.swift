package import NowPlaying
package import Reports

/// Decides about pairing, as a value: who may ask when, and what a yes is worth. It asks nobody and
/// reads no clock.
///
/// A phone is paired only while the window is open, and only after somebody at the unit has said
/// that both show the same number. One that can show none is paired only if the configuration says
/// so, because then nobody can tell it from its neighbour.
package struct PairingPolicy: Equatable, Sendable {
  /// What bluetoothd asks its agent.
  package enum Question: Hashable, Sendable {
    /// Do both show this number?
    case confirm(passkey: UInt32)
    /// May it be paired without a number?
    case withoutNumber
    /// A PIN or a number of ours, as devices before Bluetooth 2.1 and keyboards need.
    case secret
    /// May it use one of our services?
    case service(uuid: String)
  }

  /// What is answered.
  package enum Decision: Hashable, Sendable {
    case accept
    /// Somebody has to say.
    case ask(PhonesState.Request)
    /// No, and why, for the log.
    case refuse(String)
  }

  /// bluetoothd waits so long for its agent.
  package static let patience = Duration.seconds(60)

  /// Whether a phone that can show no number may be paired within the window.
  package var pairsWithoutNumber: Bool
  /// Until when phones may be paired; nil where none may.
  package private(set) var until: MonotonicInstant?
  /// Whom somebody has to answer.
  package private(set) var request: PhonesState.Request?
  private var requestUntil: MonotonicInstant?
  private var count = 0

  /// With the window closed.
  package init(pairsWithoutNumber: Bool) { self.pairsWithoutNumber = pairsWithoutNumber }

  // MARK: The window

  package mutating func open(for time: Duration, at now: MonotonicInstant) {
    until = now.advanced(by: time)
  }

  /// Also refuses whoever waits for an answer: closing is a no.
  package mutating func close() {
    until = nil
    request = nil
    requestUntil = nil
  }

  package func isOpen(at now: MonotonicInstant) -> Bool { until.map { now < $0 } ?? false }

  /// Ends what is over. A request outlives the window that it came in, as long as bluetoothd waits.
  /// - Returns: whether something ended.
  package mutating func expire(at now: MonotonicInstant) -> Bool {
    var hasEnded = false
    if let end = until, now >= end {
      until = nil
      hasEnded = true
    }
    if let end = requestUntil, now >= end {
      request = nil
      requestUntil = nil
      hasEnded = true
    }
    return hasEnded
  }

  /// When ``expire(at:)`` has something to do.
  package var nextDeadline: MonotonicInstant? { [until, requestUntil].compactMap { $0 }.min() }

  // MARK: Questions and answers

  /// - Parameter isBonded: whether the device was paired before.
  package mutating func decide(
    _ question: Question, address: String, name: String, isBonded: Bool, at now: MonotonicInstant
  ) -> Decision {
    switch question {
    case .service:
      return isBonded ? .accept : .refuse("it is not paired")
    case .confirm, .withoutNumber, .secret:
      guard isOpen(at: now) else { return .refuse("pairing is not open") }
    }
    guard request == nil else { return .refuse("another one is being paired") }
    switch question {
    case .confirm(let passkey):
      guard passkey <= 999_999 else { return .refuse("\(passkey) is no number of six digits") }
      let digits = String(passkey)
      return ask(
        address, name,
        passkey: String(repeating: "0", count: 6 - digits.count) + digits, at: now)
    case .withoutNumber:
      guard pairsWithoutNumber else {
        return .refuse("it shows no number, and the configuration wants one")
      }
      return ask(address, name, passkey: nil, at: now)
    case .secret, .service: return .refuse("it wants a PIN, which can be guessed")
    }
  }

  private mutating func ask(
    _ address: String, _ name: String, passkey: String?, at now: MonotonicInstant
  ) -> Decision {
    count += 1
    let request = PhonesState.Request(
      number: count, address: address, name: name, passkey: passkey)
    self.request = request
    requestUntil = now.advanced(by: Self.patience)
    return .ask(request)
  }

  /// Somebody has answered.
  /// - Returns: whether that request waited.
  package mutating func answered(_ number: Int) -> Bool {
    guard request?.number == number else { return false }
    withdraw()
    return true
  }

  /// Nobody waits for an answer any more.
  package mutating func withdraw() {
    request = nil
    requestUntil = nil
  }
}
