internal import BusMethods
internal import EventLoop
internal import NowPlaying
internal import Reports

/// Encodes reports of the head unit: facts, latency, diagnosis, log.
enum ReportCoding {
  private static func optional(_ text: String?) -> BusValue { WireText.line(text ?? "") }
  private static func present(_ text: String) -> String? { text.isEmpty ? nil : text }

  // MARK: Facts: a(sa(sss))

  static let factsSignature = "a(sa(sss))"

  static func value(of report: FactsReport) -> BusValue {
    .array(
      of: "(sa(sss))",
      report.sections.map { section in
        .structure([
          WireText.line(section.title),
          .array(
            of: "(sss)",
            section.facts.map {
              .structure([
                WireText.line($0.label), WireText.identity($0.value), .string($0.grade.rawValue),
              ])
            }),
        ])
      })
  }

  static func facts(_ value: BusValue) throws(WireError) -> FactsReport {
    try check(value, factsSignature, "facts")
    return FactsReport(
      (value.elements ?? []).map { section in
        let facts = (section.elements?.last?.elements ?? []).map { fact in
          let texts = fact.texts ?? []
          return FactsReport.Fact(texts[0], texts[1], Grade(rawValue: texts[2]) ?? .plain)
        }
        return FactsReport.Section(section.elements?.first?.text ?? "", facts)
      })
  }

  // MARK: Latency: ax and a(ssa{s(atx)})

  static let latencySignature = "a(ssa{s(atx)})"

  static func values(of table: LatencyTable) -> (bounds: BusValue, rows: BusValue) {
    let bounds = LatencyTable.Histogram.bounds.map { Duration.milliseconds($0) }
    let rows = table.rows.map { row in
      let stages = LatencyTable.Stage.allCases.compactMap { stage in
        row.stages[stage].map { histogram in
          BusValue.Entry(
            .string(stage.rawValue),
            .structure([
              .array(of: "t", histogram.counts.map { .count($0) }), .time(histogram.longest),
            ]))
        }
      }
      return BusValue.structure([
        WireText.word(row.surface), WireText.word(row.command),
        .dictionary(key: "s", value: "(atx)", stages),
      ])
    }
    return (.times(bounds), .array(of: "(ssa{s(atx)})", rows))
  }

  static func latency(_ bounds: BusValue, _ value: BusValue) throws(WireError) -> LatencyTable {
    try check(value, latencySignature, "latency")
    let known = LatencyTable.Histogram.bounds.map { Duration.milliseconds($0) }
    guard (bounds.elements ?? []).compactMap(\.integer).map({ .nanoseconds($0) }) == known else {
      throw WireError("latency", "the ranges differ from those of this program")
    }
    return LatencyTable(
      (value.elements ?? []).map { row in
        let parts = row.elements ?? []
        var stages: [LatencyTable.Stage: LatencyTable.Histogram] = [:]
        for entry in parts[2].entries ?? [] {
          guard let stage = entry.key.text.flatMap({ LatencyTable.Stage(rawValue: $0) }),
            let histogram = entry.value.elements
          else { continue }
          stages[stage] = LatencyTable.Histogram(
            counts: (histogram[0].elements ?? []).map { $0.integer ?? .max },
            longest: .nanoseconds(histogram[1].integer ?? 0))
        }
        return LatencyTable.Row(
          surface: parts[0].text ?? "", command: parts[1].text ?? "", stages: stages)
      })
  }

  // MARK: Diagnosis: a(ssssss) and a(sa(sb)ss)

  static let findingsSignature = "a(ssssss)"
  static let pathsSignature = "a(sa(sb)ss)"

  static func values(of report: DiagnosisReport) -> (findings: BusValue, paths: BusValue) {
    let findings = report.findings.map {
      BusValue.structure([
        WireText.line($0.code), WireText.line($0.subject), .string($0.grade.rawValue),
        WireText.identity($0.found),
        optional($0.meaning), optional($0.remedy),
      ])
    }
    let paths = report.paths.map { path in
      BusValue.structure([
        WireText.line(path.symptom),
        .array(
          of: "(sb)",
          path.steps.map { .structure([WireText.line($0.question), .boolean($0.isYes)]) }),
        optional(path.pattern), optional(path.remedy),
      ])
    }
    return (.array(of: "(ssssss)", findings), .array(of: "(sa(sb)ss)", paths))
  }

  static func diagnosis(_ findings: BusValue, _ paths: BusValue) throws(WireError)
    -> DiagnosisReport
  {
    try check(findings, findingsSignature, "findings")
    try check(paths, pathsSignature, "walks")
    return DiagnosisReport(
      findings: (findings.elements ?? []).map { finding in
        let texts = finding.texts ?? []
        return DiagnosisReport.Finding(
          texts[0], texts[1], Grade(rawValue: texts[2]) ?? .note, texts[3],
          meaning: present(texts[4]), remedy: present(texts[5]))
      },
      paths: (paths.elements ?? []).map { path in
        let parts = path.elements ?? []
        let steps = (parts[1].elements ?? []).map { step in
          DiagnosisReport.Path.Step(
            step.elements?.first?.text ?? "", step.elements?.last?.flag ?? false)
        }
        return DiagnosisReport.Path(
          symptom: parts[0].text ?? "", steps: steps, pattern: parts[2].text.flatMap(present),
          remedy: parts[3].text.flatMap(present))
      })
  }

  // MARK: Log: a(xys)

  static func values(of line: LogLine) -> [BusValue] {
    [.time(line.at), .byte(UInt8(clamping: line.severity.rawValue)), WireText.line(line.text)]
  }

  static func logLine(_ values: [BusValue]) throws(WireError) -> LogLine {
    guard values.count >= 3, let at = values[0].integer, let severity = values[1].integer,
      let text = values[2].text
    else { throw WireError("log", "expected xys", .wrongType) }
    return LogLine(
      at: .nanoseconds(at),
      // The severities emergency, alert and critical of syslog (0 to 2) are read as errors (3).
      severity: LogLine.Severity(rawValue: min(max(severity, 3), 7)) ?? .info, text: text)
  }

  /// Throws if the value does not have this signature. So the callers do not have to check the types of the elements.
  private static func check(_ value: BusValue, _ signature: String, _ path: String)
    throws(WireError)
  {
    guard value.signature == signature else {
      throw WireError(path, "expected \(signature), found \(value.signature)", .wrongType)
    }
  }
}
