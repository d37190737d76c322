internal import BusMethods
internal import EventLoop
internal import NowPlaying
internal import Reports

// Wire types for values of the head unit. Each value is encoded as one D-Bus value.

extension WireType<BusValue> {
  /// A D-Bus value that is passed on unchanged. The receiver decodes it.
  static func any(_ signature: String) -> Self { Self(signature, { $0 }) { value, _ in value } }
}

extension WireType<FactsReport> {
  static var facts: Self {
    Self(ReportCoding.factsSignature, ReportCoding.value(of:), read: ReportCoding.facts)
  }
}

extension WireType<DiagnosisRequest> {
  /// The name of a symptom or of a ``Complaint``. An empty text means ``DiagnosisRequest/everything``.
  static var symptom: Self {
    Self(
      "s",
      { request in
        switch request {
        case .everything: .string("")
        case .complaint(let complaint): .string(complaint.rawValue)
        case .symptom(let symptom): .string(symptom.rawValue)
        }
      }
    ) { value, name in
      switch value.text ?? "" {
      case "": return .everything
      case let word:
        if let symptom = DecisionTree.Symptom(rawValue: word) { return .symptom(symptom) }
        if let complaint = Complaint(rawValue: word) { return .complaint(complaint) }
        let known = [
          DecisionTree.Symptom.allCases.map(\.rawValue), Complaint.allCases.map(\.rawValue),
        ].joined()
        throw WireError(name, "unknown; expected one of: '\(known.joined(separator: "', '"))'")
      }
    }
  }
}

extension WireType<[TraceEntry]> {
  static var entries: Self {
    Self("aa{sv}", { .list($0.map(TraceCoding.value)) }) { value, _ in
      try (value.elements ?? []).compactMap { try TraceCoding.entry($0) }
    }
  }
}

extension WireType<TraceEntry?> {
  static var entry: Self {
    Self("a{sv}", { $0.map(TraceCoding.value) ?? .properties([]) }) { value, _ in
      try TraceCoding.entry(value)
    }
  }
}

extension WireType<[LogLine]> {
  static var lines: Self {
    Self("a(xys)", { .array(of: "(xys)", $0.map { .structure(ReportCoding.values(of: $0)) }) }) {
      value, _ in
      try (value.elements ?? []).map { try ReportCoding.logLine($0.elements ?? []) }
    }
  }
}

extension WireType<UnitNotice> {
  static var unplayable: Self { Self("a{sv}", NoticeCoding.value(of:), read: NoticeCoding.notice) }
}

extension WireType<VehicleState> {
  static var vehicle: Self { Self("a{sv}", VehicleCoding.value(of:), read: VehicleCoding.state) }
}

extension WireType<Bool?> {
  static var parked: Self {
    Self("s", { .string(VehicleCoding.word(isParked: $0)) }) { value, _ in
      try VehicleCoding.isParked(value.text ?? "")
    }
  }
}

extension WireType<String> {
  /// A name that a user has typed, or an empty text. A name of more than `WireText.word` bytes is an error.
  static var typedName: Self { name("at most") { _ in true } }

  /// The name of a ``SoundHold``. It must not be empty, and must not have more than `WireText.word` bytes.
  static var holdName: Self { name("1 to") { !$0.isEmpty } }

  private static func name(
    _ expected: String, _ isPossible: @escaping @Sendable (String) -> Bool
  ) -> Self {
    Self("s", { .string($0) }) { value, name in
      let text = value.text ?? ""
      guard text.utf8.count <= WireText.word, isPossible(text) else {
        throw WireError(name, "expected \(expected) \(WireText.word) bytes")
      }
      return text
    }
  }
}

extension WireType<Duration> {
  static var holdTime: Self {
    Self("x", { .time($0) }) { value, name in
      let time = Duration.nanoseconds(value.integer ?? 0)
      guard time > .zero, time <= SoundHold.longestTime else {
        throw WireError(name, "expected more than 0 and at most 24 hours")
      }
      return time
    }
  }
}
