package import NowPlaying
package import Reports

/// The pairing policy: decides which requests are accepted, which are refused, and which a person must answer. A value
/// without I/O and without a clock.
///
/// A phone is paired only while the window is open, and only after a person at the unit has confirmed that the phone
/// and the unit show the same number. A phone that cannot show a number is paired only if the configuration permits it,
/// because without a number a person cannot distinguish this phone from other phones nearby.
package struct PairingPolicy: Equatable, Sendable {
  /// A question of bluetoothd to its agent.
  package enum Question: Hashable, Sendable {
    /// Do both devices show this number?
    case confirm(passkey: UInt32)
    /// May the device be paired without a number?
    case withoutNumber
    /// A request for a PIN or passkey from the unit. Keyboards and devices before Bluetooth 2.1 send such requests.
    case secret
    /// May the device use this service of the unit?
    case service(uuid: String)
  }

  /// The decision about a question.
  package enum Decision: Hashable, Sendable {
    case accept
    /// A person has to answer.
    case ask(PhonesState.Request)
    /// The question is refused for this reason.
    case refuse(PairingFailure)
  }

  /// Maximum time for which bluetoothd waits for an answer of the agent.
  package static let answerTimeout = Duration.seconds(60)

  /// True if a phone that cannot show a number may be paired while the window is open.
  package var pairsWithoutNumber: Bool
  /// The time at which the window closes. Nil if the window is closed.
  package private(set) var until: MonotonicInstant?
  /// The request that a person has to answer.
  package private(set) var request: PhonesState.Request?
  private var requestUntil: MonotonicInstant?
  private var count = 0

  /// Creates a policy whose window is closed.
  package init(pairsWithoutNumber: Bool) { self.pairsWithoutNumber = pairsWithoutNumber }

  // MARK: The window

  package mutating func open(for time: Duration, at now: MonotonicInstant) {
    until = now.advanced(by: time)
  }

  /// Closes the window and drops the pending request. The caller must reject this request.
  package mutating func close() {
    until = nil
    request = nil
    requestUntil = nil
  }

  package func isOpen(at now: MonotonicInstant) -> Bool { until.map { now < $0 } ?? false }

  /// Closes the window if its time is over. Drops the request if the time of the request is over. A request may stay
  /// pending when the time of the window is over, because bluetoothd still waits for the answer.
  /// - Returns: true if the window or the request has ended.
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

  /// The time at which ``expire(at:)`` must be called next.
  package var nextDeadline: MonotonicInstant? { [until, requestUntil].compactMap { $0 }.min() }

  // MARK: Questions and answers

  /// - Parameter isBonded: true if the device is already paired.
  package mutating func decide(
    _ question: Question, address: String, name: String, isBonded: Bool, at now: MonotonicInstant
  ) -> Decision {
    switch question {
    case .service:
      return isBonded ? .accept : .refuse(.notPaired)
    case .confirm, .withoutNumber, .secret:
      guard isOpen(at: now) else { return .refuse(.windowClosed) }
    }
    guard request == nil else { return .refuse(.otherRequest) }
    switch question {
    case .confirm(let passkey):
      guard passkey <= 999_999 else { return .refuse(.invalidNumber(passkey)) }
      let digits = String(passkey)
      return requestAnswer(
        address, name,
        passkey: String(repeating: "0", count: 6 - digits.count) + digits, at: now)
    case .withoutNumber:
      guard pairsWithoutNumber else { return .refuse(.noNumber) }
      return requestAnswer(address, name, passkey: nil, at: now)
    case .secret, .service: return .refuse(.pinRequested)
    }
  }

  private mutating func requestAnswer(
    _ address: String, _ name: String, passkey: String?, at now: MonotonicInstant
  ) -> Decision {
    count += 1
    let request = PhonesState.Request(
      number: count, address: address, name: name, passkey: passkey)
    self.request = request
    requestUntil = now.advanced(by: Self.answerTimeout)
    return .ask(request)
  }

  /// Handles the answer of a person.
  /// - Returns: true if the request with this number was pending.
  package mutating func answered(_ number: Int) -> Bool {
    guard request?.number == number else { return false }
    withdraw()
    return true
  }

  /// Drops the pending request.
  package mutating func withdraw() {
    request = nil
    requestUntil = nil
  }
}
