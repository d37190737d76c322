internal import EventLoop

// Translates errors and reasons of BlueZ for the plan.
extension ReconnectPlan.Outcome {
  init(_ error: BusError) {
    if case .remote(let name, let words) = error {
      self.init(errorName: name, words: words)
    } else {
      self = .absent
    }
  }

  /// Reads an error of BlueZ. The words are those of `btd_error_bredr_str`, or of the system.
  package init(errorName name: String, words: String) {
    let busy = ["br-connection-busy", "br-connection-canceled", "Resource temporarily unavailable"]
    let refused = [
      "br-connection-refused", "br-connection-aborted-by-remote", "br-connection-key-missing",
      "br-connection-profile-unavailable", "br-connection-not-supported", "Connection refused",
      "Permission denied", "Operation not permitted",
    ]
    if name == BluezNames.errorPrefix + "InProgress" || busy.contains(words) {
      self = .crossed
    } else if name == BluezNames.errorPrefix + "AlreadyConnected"
      || words == "br-connection-already-connected"
    {
      self = .connected
    } else if refused.contains(words) || name == BluezNames.errorPrefix + "AuthenticationRejected"
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
      case "Authentication": .key
      default: .faded
      }
  }
}
