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

  /// Reads an error of BlueZ. The messages are those of `btd_error_bredr_str`, or of the system.
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
      // "Local" is also the kernel's word for a link that it ended because the phone had stopped
      // using it. If the unit itself ends a link, ``Connections/willDisconnect(_:)`` has stored
      // that reason.
      case "Remote", "Local": .byPhone
      case "Authentication": .keyMismatch
      default: .unreachable
      }
  }
}
