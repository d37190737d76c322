package import NowPlaying

/// The state of the input devices, for the console.
package struct InputReport {
  /// A device that is open.
  package struct Device {
    package var node: String
    package var name: String
    package var bus: String
    /// True if the device sends the pass-through commands of a phone.
    package var isPassThrough: Bool
    /// Number of presses and turns since the device was opened.
    package var presses: Int
    /// Number of keys and knobs that have an action other than `none`.
    package var known: Int
  }

  /// The last press of a key or knob with an action.
  package struct LastPress {
    package var code: InputCode
    package var device: String
    package var at: MonotonicInstant
  }

  /// A key or knob that was used and has no action.
  package struct UnknownKey: Equatable {
    package var code: InputCode
    package var device: String
    /// Time of the last press.
    package var at: MonotonicInstant
    package var count: Int

    /// Text for the user, such as `KEY_F13 (183) of Steering Wheel`.
    package var text: String {
      code.kind == .key && code.description != String(code.number)
        ? "\(code) (\(code.number)) of \(device)" : "\(code) of \(device)"
    }
  }

  /// A key that is held so long that it is possibly stuck.
  package struct StuckKey: Equatable {
    package var code: InputCode
    package var device: String
    /// The time of its press. If it was down before the device was opened, the time of the opening.
    package var since: MonotonicInstant

    package init(code: InputCode, device: String, since: MonotonicInstant) {
      self.code = code
      self.device = device
      self.since = since
    }
  }

  /// The reason why nodes cannot be watched. Nil if there is no problem.
  package var problem: String?
  package var devices: [Device] = []
  /// Nodes that the unit does not use, with the name of the device and the reason.
  package var unused: [(node: String, name: String, why: String)] = []
  /// Nodes that cannot be opened, with the reason.
  package var refused: [(node: String, why: String)] = []
  package var lastPress: LastPress?
  /// The unknown keys, oldest first.
  package var unknown: [UnknownKey] = []
  package var stuck: [StuckKey] = []

  init(problem: String?, lastPress: LastPress?, unknown: [UnknownKey]) {
    self.problem = problem
    self.lastPress = lastPress
    self.unknown = unknown
  }
}
