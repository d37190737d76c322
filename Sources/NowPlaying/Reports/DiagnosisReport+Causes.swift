internal import NowPlaying

// A fault often makes other parts fail. A person repairs the cause first, so the consequences are shown below it.
extension DiagnosisReport {
  /// The faults that no other fault explains, in the order of the findings. Faults of the unit come before faults of
  /// Now Playing, because a fault of the unit can cause a fault of Now Playing. A fault that lasts comes before one
  /// that is over.
  package var faults: [Finding] {
    let roots = findings.filter { $0.grade == .bad && cause(of: $0) == nil }
    let ofUnit = roots.filter { !$0.isAboutNowPlaying }
    return ofUnit.filter { !$0.isOver } + ofUnit.filter(\.isOver)
      + roots.filter(\.isAboutNowPlaying)
  }

  /// The fault that explains a finding; nil if there is none.
  package func cause(of finding: Finding) -> Finding? {
    var cause: Finding?
    var code = finding.code
    // The table has no circle, so each step goes to another fault.
    while let next = findings.first(where: { $0.grade == .bad && Self.explains($0.code, code) }) {
      (cause, code) = (next, next.code)
    }
    return cause
  }

  /// The faults that a fault explains.
  package func consequences(of fault: Finding) -> [Finding] {
    findings.filter { $0.grade == .bad && cause(of: $0) == fault }
  }

  /// The patterns that no finding explains.
  package var unexplainedPaths: [Path] {
    paths.filter { path in
      path.pattern != nil
        && !faults.contains { fault in
          DecisionTree.Symptom(rawValue: path.symptom).map(fault.isAbout) ?? false
        }
    }
  }

  private static func explains(_ cause: String, _ code: String) -> Bool {
    explanations.contains { rule in
      cause.hasPrefix(rule.cause) && rule.consequences.contains { code.hasPrefix($0) }
    }
  }

  /// The beginnings of the codes of causes and of their consequences.
  package static let explanations: [(cause: String, consequences: [String])] = [
    ("memory.", ["unit.", "library.", "ends."]),
    ("supply.", ["ends.", "starts."]),
    ("kernel.crashed", ["starts."]),
    ("ends.", ["starts."]),
    ("unit.data.", ["data.", "state.", "storage."]),
    (
      "data.",
      [
        "artwork.", "library.", "playlists.", "positions.", "queue.", "settings.", "state.",
        "storage.", "unit.library.",
      ]
    ),
    (
      "storage.",
      [
        "artwork.", "library.", "playlists.", "positions.", "queue.", "settings.", "state.",
        "unit.library.",
      ]
    ),
    ("boot.", ["config."]),
    ("unit.udevd.", ["unit.stick.", "stick.", "controller.", "bluetooth.", "medium."]),
    ("unit.media.", ["unit.stick.", "stick."]),
    ("unit.display-modules.", ["screen.", "surface.", "surfaces."]),
    ("unit.late-modules.", ["controller.", "bluetooth."]),
    ("unit.dbus.", ["unit.bluetooth.", "bluetooth."]),
    ("unit.bluetooth.", ["bluetooth.", "phone."]),
    ("controller.", ["bluetooth.", "phone."]),
    ("unit.library.", ["library."]),
    ("unit.screen.", ["screen.", "surface.", "surfaces."]),
    ("screen.", ["surface.", "surfaces."]),
    ("unit.stick.", ["stick.", "folders.", "medium.", "music."]),
    ("stick.", ["folders.", "medium.", "music."]),
    ("folders.", ["medium.", "music."]),
    ("medium.", ["music."]),
    ("music.", ["content.", "now-playing.", "session."]),
    (
      "output.",
      ["amplifier.", "playback.", "session.output-lost", "sound.", "volume.unheard"]
    ),
  ]
}
