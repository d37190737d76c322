internal import Reports
internal import ScreenLayout

// What the unit tells about itself.
extension SettingFacts {
  /// The page about the unit shows this number of results, the worst first.
  private static let shownFindings = 2
  /// A code with more bytes has modules that a camera cannot read from its distance.
  private static let codeBytes = 190

  var about: [MenuControl] {
    let words = words.settings
    var storage = MenuRow(
      id: "storage", .picture(MenuPicture(.folder)), words.storage,
      line: report.storage?.value ?? "…")
    if report.storage?.grade == .bad { storage.tone = .warning }
    var controls =
      [MenuControl("storage", .row(storage))]
      + results.map {
        MenuControl($0.id, .row($0))
      }
    // The keys stay at their places when the results arrive.
    while controls.count <= Self.shownFindings {
      controls.append(MenuControl("space.\(controls.count)", .space))
    }
    controls += [
      .halfKey(
        Self.checksKey, .info, words.allChecks,
        isActive: report.findings != nil && obstacle(Self.checksKey) == nil),
      // Only while parked, because someone has to photograph it.
      .halfKey(
        Self.codeKey, .code, words.asCode, isActive: report.findings != nil && isParked == true),
      .halfKey(
        Self.eraseKey, .bin, words.eraseData, isActive: obstacle(Self.eraseKey) == nil),
    ]
    return controls
  }

  /// The worst results; one row if there is no fault, or if the checks have not run.
  private var results: [MenuRow] {
    let words = words.settings
    guard let findings = report.findings else {
      return [
        MenuRow(
          id: "finding.0", .picture(MenuPicture(.reload)), words.checkedParts,
          line: report.hasFailed ? self.words.notices.unavailable : words.checksRun)
      ]
    }
    let faults = Self.sorted(findings).filter { $0.grade == .bad || $0.grade == .note }
    if !faults.isEmpty {
      return faults.prefix(Self.shownFindings).enumerated().map { row($1, $0) }
    }
    var good = MenuRow(
      id: "finding.0", .picture(MenuPicture(.check)), words.checkedParts,
      line: words.noFaultDetail)
    good.tone = .good
    return [good]
  }

  var checkRows: [MenuRow] {
    Self.sorted(report.findings ?? []).enumerated().map { row($1, $0) }
  }

  private static func sorted(_ findings: [DiagnosisReport.Finding]) -> [DiagnosisReport.Finding] {
    func weight(_ grade: Grade) -> Int {
      switch grade {
      case .bad: 0
      case .note: 1
      case .plain, .good: 2
      }
    }
    return findings.enumerated().sorted {
      (weight($0.element.grade), $0.offset) < (weight($1.element.grade), $1.offset)
    }.map(\.element)
  }

  /// A result: what was found, and what to do. The words are those of the console, in English.
  private func row(_ finding: DiagnosisReport.Finding, _ place: Int) -> MenuRow {
    let symbol: Symbol =
      switch finding.grade {
      case .good, .plain: .check
      case .note: .info
      case .bad: .warning
      }
    var row = MenuRow(
      id: "finding.\(place)", .picture(MenuPicture(symbol)),
      "\(finding.subject): \(finding.found)",
      line: finding.remedy ?? finding.meaning)
    switch finding.grade {
    case .bad: row.tone = .warning
    case .good: row.tone = .good
    case .note, .plain: break
    }
    return row
  }

  var eraseQuestion: MenuPage.Content {
    let words = words.settings
    return .question(
      MenuQuestion(
        words.eraseQuestion, words.eraseDetail, no: self.words.menu.keep, yes: words.erase))
  }

  // MARK: The code

  /// The page with the report as a code.
  var code: MenuPage.Content {
    .code(
      MenuCode(
        reportText, title: words.settings.photograph, detail: words.settings.codeDetail,
        line: [report.version, report.commit].filter { !$0.isEmpty }.joined(separator: " · ")))
  }

  /// The version, the board, and the results of the checks by their identifiers, the worst first. It has
  /// no name, address or title, because it is made to be sent to a stranger.
  var reportText: String {
    var text = "autoharp \(report.version) \(report.commit)\n\(report.board)"
    for finding in Self.sorted(report.findings ?? []) where finding.grade != .plain {
      let mark =
        switch finding.grade {
        case .bad: "!"
        case .note: "?"
        case .good, .plain: "+"
        }
      let line = "\n\(mark)\(finding.code)"
      if text.utf8.count + line.utf8.count > Self.codeBytes { break }
      text += line
    }
    return text
  }
}
