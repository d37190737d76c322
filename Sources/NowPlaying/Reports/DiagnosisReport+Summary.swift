extension DiagnosisReport {
  /// One sentence: the fault that a person should repair first, and how. A fault of the unit can cause
  /// a fault of Now Playing, so it comes before it.
  package var summary: String {
    let faults = findings.filter { $0.grade == .bad }
    if let fault = faults.first(where: { !$0.isAboutNowPlaying }) ?? faults.first {
      return Self.sentence(fault.subject, fault.found, fault.remedy)
    }
    if let walk = paths.first(where: { $0.pattern != nil }), let pattern = walk.pattern {
      return Self.sentence(walk.symptom, pattern, walk.remedy)
    }
    return "All is well."
  }

  private static func sentence(_ subject: String, _ found: String, _ remedy: String?) -> String {
    let fault = "\(subject): \(found)"
    return remedy.map { "\(fault) → \($0)" } ?? fault
  }
}

extension DiagnosisReport.Finding {
  /// True if the finding is one of the checks of the module `NowPlaying`.
  package var isAboutNowPlaying: Bool {
    Self.topicsOfNowPlaying.contains { code.hasPrefix($0) }
  }

  private static let topicsOfNowPlaying = [
    "center.", "commands.", "content.", "now-playing.", "playback.", "session.", "surface.",
    "surfaces.", "template.",
  ]
}
