package import NowPlaying
internal import Reports

/// The reason why a pairing failed or was refused. Each reason has a code for programs and a sentence for people. The
/// codes stay the same when the sentences change. A log line contains both.
package enum PairingFailure: Hashable, Sendable, CustomStringConvertible {
  /// The pairing window is closed, or was closed during the pairing.
  case windowClosed
  /// A device that is not paired requests a service.
  case notPaired
  /// A person has to answer another request first.
  case otherRequest
  /// The number has more than six digits.
  case invalidNumber(UInt32)
  /// The device cannot show a number, and the configuration requires a number.
  case noNumber
  /// The device requests a PIN or passkey from the unit.
  case pinRequested
  /// A person at the unit has rejected the request.
  case rejectedAtUnit
  /// No person has answered the request in time.
  case noAnswerAtUnit
  /// The device or bluetoothd has cancelled the request.
  case cancelled
  /// The pairing took longer than its time limit.
  case timedOut
  /// The pairing has ended without a stored key (bond).
  case noKey
  /// The device was removed from BlueZ.
  case deviceRemoved
  /// bluetoothd has ended, or the bus is lost.
  case serviceEnded
  /// The device does not answer.
  case noAnswer
  /// The device and the unit do not agree on a key.
  case authenticationFailed
  /// The device or the agent has rejected the pairing.
  case authenticationRejected
  /// The link ended during the pairing.
  case linkLost
  /// Another error of BlueZ or of the bus.
  case other(String)

  /// The code for programs.
  package var code: String {
    switch self {
    case .windowClosed: "pairing-closed"
    case .notPaired: "not-paired"
    case .otherRequest: "other-request"
    case .invalidNumber: "invalid-number"
    case .noNumber: "no-number"
    case .pinRequested: "pin-requested"
    case .rejectedAtUnit: "rejected-at-unit"
    case .noAnswerAtUnit: "no-answer-at-unit"
    case .cancelled: "cancelled"
    case .timedOut: "timed-out"
    case .noKey: "no-key"
    case .deviceRemoved: "device-removed"
    case .serviceEnded: "service-ended"
    case .noAnswer: "no-answer"
    case .authenticationFailed: "authentication-failed"
    case .authenticationRejected: "authentication-rejected"
    case .linkLost: "link-lost"
    case .other: "other"
    }
  }

  /// The sentence for people.
  package var description: String {
    switch self {
    case .windowClosed: "the pairing window is closed"
    case .notPaired: "the device is not paired"
    case .otherRequest: "another device is being paired"
    case .invalidNumber(let number): "the number \(number) has more than six digits"
    case .noNumber:
      "the device cannot show a number, and the configuration requires one ('pair-without-number')"
    case .pinRequested: "the device requests a PIN, which can be guessed"
    case .rejectedAtUnit: "a person at the unit rejected the pairing"
    case .noAnswerAtUnit: "no person at the unit answered in time"
    case .cancelled: "the request was cancelled"
    case .timedOut: "the pairing took too long"
    case .noKey: "the device has not stored a key"
    case .deviceRemoved: "bluetoothd removed the device"
    case .serviceEnded: "bluetoothd has ended"
    case .noAnswer: "the device does not answer; check whether the device is in pairing mode"
    case .authenticationFailed: "the device and the unit do not agree on a key"
    case .authenticationRejected: "the pairing was rejected"
    case .linkLost: "the link was lost during the pairing"
    case .other(let message): message
    }
  }

  /// The refusal that answers a request to pair with the device of this name.
  package func refusal(of name: String) -> Refusal {
    Refusal(.pairingFailed, "\(name): \(self)")
  }
}
