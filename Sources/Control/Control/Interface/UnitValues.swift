internal import BusMethods
package import NowPlaying
internal import Reports

// The arguments of ``Unit1``.

/// What is to be diagnosed.
package enum DiagnosisRequest: Equatable, Sendable {
  /// All checks, and the tree for all symptoms.
  case everything
  /// The checks of phones.
  case phones
  /// The checks of Now Playing, and the tree for this symptom.
  case symptom(DecisionTree.Symptom)
}

/// A hold that begins.
package struct HoldBegin: Equatable, Sendable {
  package var name: String
  /// True if the hold stays when the client disconnects. It then ends after ``time``, or after
  /// ``SoundHold/standardTime``.
  package var outlives: Bool
  /// The time after which the hold ends. Nil for none.
  package var time: Duration?

  package init(_ name: String, outlives: Bool = false, for time: Duration? = nil) {
    self.name = name
    self.outlives = outlives
    self.time = time
  }

  mutating func code(_ field: inout FieldCoder) throws {
    try field("name", &name, .holdName)
    try field.options("options")
    try field.flag("outlivesClient", &outlives)
    try field.option("time", &time, .holdTime)
  }
}

/// An interruption that ends.
package struct InterruptionEnd: Equatable, Sendable {
  package var name: String
  /// False if what the interruption has paused stays paused.
  package var shouldResume: Bool

  package init(_ name: String, shouldResume: Bool = true) {
    self.name = name
    self.shouldResume = shouldResume
  }
}
