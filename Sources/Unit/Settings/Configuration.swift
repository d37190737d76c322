internal import Text

/// The settings that some files add up to, and what is to be said about them.
public struct Configuration: Sendable {
  /// A file's beginning, and its name.
  public struct Source: Sendable {
    /// Bytes of a file that are read.
    public static let maximumBytes = 256 << 10

    /// For people.
    public let name: String
    /// At most ``maximumBytes``; what comes behind them is left out, and said.
    public let bytes: [UInt8]

    /// Joins the two.
    public init(name: String, bytes: [UInt8]) {
      self.name = name
      self.bytes = bytes
    }
  }

  /// Where a value comes from.
  public enum Origin: Hashable, Sendable {
    /// No file names the key.
    case standard
    /// These lines of a file; more than one for a list.
    case lines(file: String, [Int])
  }

  /// Every key with its value.
  public private(set) var settings = Settings()
  /// In the order of the files and their lines.
  public private(set) var notices: [SettingsNotice] = []
  /// Where values come from that are no defaults, by the keys' names.
  private var origins: [String: Origin] = [:]

  /// Reads files that override each other key by key: the last one counts.
  ///
  /// Bytes in, settings and notices out: there is nothing that it refuses. A line that is wrong is
  /// named and left out, and what was there before is used. Time and memory are bounded by the bytes.
  public init(_ sources: [Source], checks: SettingChecks) {
    self.init(sources, unread: [], checks: checks)
  }

  /// - Parameter unread: what is to be said of files that are not among the sources.
  init(_ sources: [Source], unread: [SettingsNotice], checks: SettingChecks) {
    notices = unread
    var open: [(notice: Int, key: SettingKey)] = []
    for source in sources {
      var reading = Reading(source: source.name)
      for line in ConfigurationLines(source) {
        switch line {
        case .notice(let kind, let number, let bytes, let reason):
          reading.add(kind, number, bytes, reason)
        case .pair(let number, let bytes, let name, let value):
          if let key = take(number, bytes, name, value, checks, &reading) {
            open.append((notices.count + reading.notices.count - 1, key))
          }
        }
      }
      notices += reading.notices
      if reading.leftOut > 0 {
        notices.append(
          SettingsNotice(
            kind: .wrong, file: source.name, line: nil, text: "",
            reason: "\(reading.leftOut) more lines are wrong, and ignored"))
      }
    }
    // Only now is it known what counts in the end.
    for (index, key) in open {
      let value = key.shown(settings)
      notices[index].instead =
        switch origin(of: key) {
        case .standard: "the default \(value) is used"
        case let origin: "\(value) of \(origin) is used"
        }
    }
  }

  /// Where a key's value comes from.
  public func origin(of key: SettingKey) -> Origin { origins[key.name] ?? .standard }

  /// Whether anything was ignored.
  public var hasWrongLines: Bool { notices.contains { $0.kind == .wrong } }

  // MARK: Parts

  /// What one file has said so far.
  private struct Reading {
    /// Notices of one file; more lines are only counted.
    static let maximumNotices = 100

    let source: String
    var notices: [SettingsNotice] = []
    var leftOut = 0
    /// Lines that counted, by key.
    var lines: [String: [Int]] = [:]

    init(source: String) { self.source = source }

    /// - Returns: whether there was room for it.
    @discardableResult
    mutating func add(
      _ kind: SettingsNotice.Kind, _ line: Int?, _ bytes: ArraySlice<UInt8>, _ reason: String
    ) -> Bool {
      guard notices.count < Self.maximumNotices else {
        leftOut += 1
        return false
      }
      notices.append(
        SettingsNotice(
          kind: kind, file: source, line: line, text: SettingsNotice.harmless(bytes), reason: reason
        ))
      return true
    }
  }

  /// - Returns: the key, where the latest notice has to say what is used instead.
  private mutating func take(
    _ number: Int, _ bytes: ArraySlice<UInt8>, _ name: String, _ value: String,
    _ checks: SettingChecks, _ reading: inout Reading
  ) -> SettingKey? {
    guard let key = SettingKey.named[name] else {
      let near = nearestWord(to: name, among: SettingKey.all.map(\.name))
      reading.add(
        .wrong, number, bytes,
        "there is no such key" + (near.map { "; did you mean '\($0)'?" } ?? "") + "; ignored")
      return nil
    }
    let earlier = reading.lines[name]
    var changed = settings
    // The first line of a list in a file begins it anew, and so does an empty one.
    if key.isList, earlier == nil || value.isEmpty { key.clear(&changed) }
    do throws(ValueRefusal) {
      try key.set(value, &changed, checks)
    } catch {
      let hint = hasComment(value) ? " (a comment needs a line of its own)" : ""
      return reading.add(.wrong, number, bytes, error.reason + hint) ? key : nil
    }
    settings = changed
    if let earlier, !key.isList {
      reading.add(
        .remark, number, bytes, "it stands in line \(earlier[0]) too; this line counts")
    }
    let lines = key.isList && !value.isEmpty ? (earlier ?? []) + [number] : [number]
    reading.lines[name] = lines
    origins[name] = .lines(file: reading.source, lines)
    return nil
  }
}

/// Whether somebody seems to have put a comment behind a value. `String.contains` for more than a
/// character would link the engine of regular expressions, which is 1.4 MB.
private func hasComment(_ value: String) -> Bool {
  zip(value.utf8, value.utf8.dropFirst()).contains { $0 == (UInt8(ascii: " "), UInt8(ascii: "#")) }
}

extension SettingKey {
  fileprivate static let named = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })
}

extension Configuration.Origin: CustomStringConvertible {
  /// `default`, or `FILE:LINE`, with each line of a list.
  public var description: String {
    switch self {
    case .standard: "default"
    case .lines(let file, let lines):
      "\(file):\(lines.map { String($0) }.joined(separator: ","))"
    }
  }
}
