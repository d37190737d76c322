internal import BusMethods
package import NowPlaying
package import Reports

// The arguments of ``Unit1``.

/// The part of the unit or the symptom that is to be diagnosed.
package enum DiagnosisRequest: Equatable, Sendable {
  /// Runs all checks, and walks the decision tree for all symptoms.
  case everything
  /// Runs the checks of the parts that a driver complains about.
  case complaint(Complaint)
  /// Runs the checks of Now Playing, and walks the decision tree for this symptom.
  case symptom(DecisionTree.Symptom)
}

/// A request to begin a hold: an interruption or a duck of the sound (``SoundHold``).
package struct HoldBegin: Equatable, Sendable {
  package var name: String
  /// True if the hold continues after the client disconnects. Such a hold ends after ``time``, or after
  /// ``SoundHold/standardTime`` if ``time`` is nil.
  package var outlives: Bool
  /// The time after which the hold ends. Nil for no time limit.
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

/// A request to end an interruption.
package struct InterruptionEnd: Equatable, Sendable {
  package var name: String
  /// False if the content that the interruption has paused must stay paused.
  package var shouldResume: Bool

  package init(_ name: String, shouldResume: Bool = true) {
    self.name = name
    self.shouldResume = shouldResume
  }
}
