internal import EventLoop

// What BlueZ's errors and reasons mean for the plan.
extension ReconnectPlan.Outcome {
  init(_ error: BusError) {
    if case .remote(let name, let words) = error {
      self.init(errorName: name, words: words)
    } else {
      self = .absent
    }
  }

  /// What BlueZ's error says. Its words are those of `btd_error_bredr_str`, or the system's.
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
  /// BlueZ's reason (5.80 and later), as `Timeout`.
  package init(reason: String) {
    self =
      switch reason {
      // "Local" is also the kernel's word for a link that the phone left empty. That somebody here
      // ended it, whoever did knows.
      case "Remote", "Local": .byPhone
      case "Authentication": .key
      default: .faded
      }
  }
}
