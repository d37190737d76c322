internal import Console
internal import Reports

/// An entry of the journal, with the fields that the console uses.
struct JournalEntry: Equatable {
  /// The time since the machine started, in microseconds.
  var microseconds: UInt64 = 0
  var message = ""
  /// The priority of syslog, 0 to 7.
  var priority = 6
  /// The name of the program.
  var identifier = ""
  /// The service that has written the line, or the service that the line of the service manager is about.
  var unit = ""
  var isOfKernel = false

  var severity: LogLine.Severity {
    LogLine.Severity(rawValue: priority) ?? (priority < 3 ? .error : .debug)
  }

  /// The line as the console shows it. The lines of the daemon have the same form as in the daemon's memory.
  var line: LogReport.Line {
    // Programs write their name to standard error themselves, and the journal adds it as the identifier.
    let isNamed =
      identifier == "autoharp" || identifier.isEmpty || message.hasPrefix("\(identifier): ")
    let time = LogLine(
      at: .microseconds(Int64(clamping: microseconds)), severity: severity,
      text: isNamed ? message : "\(identifier): \(message)")
    return LogReport.Line(LogText.line(time), severity)
  }
}

/// Parses the export format of journald while it arrives. An entry has lines `FIELD=value` and ends with a blank line.
/// A value that is not plain text has a line with the name of the field, its length in eight bytes, and its bytes.
struct JournalExport {
  /// The maximum size of a field. A line of journald has at most 48 KiB. A longer field ends the parsing.
  private static let limit = 1 << 20

  private var pending: [UInt8] = []
  private var entry = JournalEntry()
  private var isEmpty = true
  /// True if the input is not in the export format, or has a field that is too long.
  private(set) var isBroken = false
  /// The first line that does not belong to an entry: an error message of the program.
  private(set) var remark: String?

  /// Adds input, and returns the entries that are complete.
  mutating func feed(_ bytes: [UInt8]) -> [JournalEntry] {
    guard !isBroken else { return [] }
    pending += bytes
    var entries: [JournalEntry] = []
    var start = 0
    while !isBroken, let end = pending[start...].firstIndex(of: UInt8(ascii: "\n")) {
      let line = pending[start..<end]
      if line.isEmpty {
        if !isEmpty { entries.append(entry) }
        (entry, isEmpty) = (JournalEntry(), true)
        start = end + 1
      } else if let equal = line.firstIndex(of: UInt8(ascii: "=")), Self.isName(line[..<equal]) {
        set(line[..<equal], line[(equal + 1)...])
        start = end + 1
      } else if Self.isName(line) {
        guard pending.count >= end + 9 else { break }
        let length = pending[(end + 1)..<(end + 9)].reversed().reduce(0 as UInt64) {
          $0 << 8 | UInt64($1)
        }
        guard length <= Self.limit else {
          isBroken = true
          break
        }
        let last = end + 9 + Int(length)
        guard pending.count > last else { break }
        set(line, pending[(end + 9)..<last])
        start = last + 1
      } else {
        if remark == nil { remark = String(decoding: line.prefix(400), as: UTF8.self) }
        start = end + 1
      }
    }
    pending.removeFirst(start)
    if pending.count > 2 * Self.limit { isBroken = true }
    if isBroken { pending = [] }
    return entries
  }

  private static func isName(_ bytes: ArraySlice<UInt8>) -> Bool {
    !bytes.isEmpty && bytes.count <= 64
      && bytes.allSatisfy {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) || $0 == UInt8(ascii: "_")
          || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
      }
  }

  private mutating func set(_ name: ArraySlice<UInt8>, _ value: ArraySlice<UInt8>) {
    isEmpty = false
    var text: String { String(decoding: value, as: UTF8.self) }
    switch String(decoding: name, as: UTF8.self) {
    case "__MONOTONIC_TIMESTAMP": entry.microseconds = UInt64(text) ?? 0
    case "MESSAGE":
      entry.message = String(text.map { $0 == "\n" ? " " : $0 })
    case "PRIORITY": entry.priority = Int(text).flatMap { (0...7).contains($0) ? $0 : nil } ?? 6
    case "SYSLOG_IDENTIFIER": entry.identifier = text
    case "_SYSTEMD_UNIT": if entry.unit.isEmpty { entry.unit = text }
    // The service manager writes this field in its lines about a service.
    case "UNIT": entry.unit = text
    case "_TRANSPORT": entry.isOfKernel = text == "kernel"
    default: break
    }
  }
}
