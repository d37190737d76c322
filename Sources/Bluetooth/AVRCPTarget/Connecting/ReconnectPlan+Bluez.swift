internal import Bluez
internal import EventLoop

// Translates errors and reasons of BlueZ for the plan.
extension ReconnectPlan.Outcome {
  init(_ error: BusError) {
    if case .remote(let name, let message) = error {
      self.init(errorName: name, message: message)
    } else {
      self = .absent
    }
  }

  /// Reads an error of BlueZ. The messages come from BlueZ's function `btd_error_bredr_str`, or are
  /// error texts of the system.
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
      // The kernel reports "Local" also if it ended the link because the phone had stopped using
      // the link. If a person at the unit ends a link, ``Connections/willDisconnect(_:)`` has
      // already stored `byUnit`, so "Local" has no effect.
      case "Remote", "Local": .byPhone
      case "Authentication": .keyMismatch
      default: .unreachable
      }
  }
}
