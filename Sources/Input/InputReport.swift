package import NowPlaying

/// What is known about the keys of the machine.
package struct InputReport {
  /// A device that is read.
  package struct Device {
    package var node: String
    package var name: String
    package var bus: String
    /// A phone's.
    package var isPassThrough: Bool
    /// How many presses and turns there were.
    package var presses: Int
    /// How many of its keys and knobs mean something.
    package var known: Int
  }

  /// The last press of a key that means something.
  package struct LastPress {
    package var code: InputCode
    package var device: String
    package var at: MonotonicInstant
  }

  /// A key that was pressed and means nothing.
  package struct UnknownKey: Equatable {
    package var code: InputCode
    package var device: String
    /// The last time.
    package var at: MonotonicInstant
    package var count: Int

    /// `KEY_F13 (183) of Steering Wheel`.
    package var words: String {
      code.kind == .key && code.description != String(code.number)
        ? "\(code) (\(code.number)) of \(device)" : "\(code) of \(device)"
    }
  }

  /// Why nothing can be watched; nil where all is well.
  package var trouble: String?
  package var devices: [Device] = []
  /// Node, name, and why it is of no use.
  package var unused: [(node: String, name: String, why: String)] = []
  /// Node, and why it cannot be opened.
  package var refused: [(node: String, why: String)] = []
  package var lastPress: LastPress?
  /// The last one last.
  package var unknown: [UnknownKey] = []

  init(trouble: String?, lastPress: LastPress?, unknown: [UnknownKey]) {
    self.trouble = trouble
    self.lastPress = lastPress
    self.unknown = unknown
  }
}
