internal import Text

/// The settings that result from several files, with notices about the files.
public struct Configuration: Sendable {
  /// A file of the configuration: its name, and the first bytes of its contents.
  public struct Source: Sendable {
    /// Maximum number of bytes that are read from a file.
    public static let maximumBytes = 256 << 10

    /// The name of the file, for messages.
    public let name: String
    /// The contents. Bytes after ``maximumBytes`` are ignored, with a notice.
    public let bytes: [UInt8]
    /// The layer to which the file belongs.
    public let layer: Layer

    public init(name: String, bytes: [UInt8], layer: Layer = .owner) {
      self.name = name
      self.bytes = bytes
      self.layer = layer
    }
  }

  /// The groups of people who set values. The value of a later layer has priority over the value of an earlier layer.
  public enum Layer: String, Hashable, Sendable, CaseIterable {
    /// The driver of the car, on the unit.
    case driver
    /// The maker of the image.
    case shipped
    /// The owner of the unit, in a file.
    case owner
  }

  /// The origin of a setting's value.
  public enum Origin: Hashable, Sendable {
    /// No file sets the key, so the value is the default.
    case standard
    /// The driver has set the value.
    case driver
    /// These lines of a file set the value. Only a key with a list of values can have more than one line.
    case lines(file: String, [Int])
  }

  /// The value of each key.
  public internal(set) var settings = Settings()
  /// The notices, in the order of the files and their lines.
  public private(set) var notices: [SettingsNotice] = []
  /// The values that the driver has set. Also contains values that a later layer overrides.
  public var driver = DriverSettings()
  /// The origin of each value that a file sets. The dictionary key is the name of the setting.
  var origins: [String: Origin] = [:]
  /// The layer of each value that a file sets. The dictionary key is the name of the setting.
  private var layers: [String: Layer] = [:]

  /// Reads files. If two files of a layer set the same key, the later file overrides the earlier file.
  ///
  /// A file can contain any bytes. A wrong line is reported and ignored; its key keeps the earlier value.
  /// ``Source/maximumBytes`` limits the time and the memory that reading takes.
  public init(_ sources: [Source], checks: SettingChecks) {
    self.init(sources, unread: [], checks: checks)
  }

  /// - Parameter unread: notices about files that could not be read, and so are not among the sources.
  init(_ sources: [Source], unread: [SettingsNotice], checks: SettingChecks) {
    notices = unread
    var open: [(notice: Int, key: SettingKey)] = []
    for source in Self.ordered(sources) {
      var reading = Reading(source: source)
      for line in ConfigurationLines(source) {
        switch line {
        case .notice(let kind, let number, let bytes, let cause, let reason):
          reading.add(kind, number, bytes, cause, reason)
          if source.layer == .driver, kind == .wrong { driver.isDamaged = true }
        case .pair(let number, let bytes, let name, let value):
          if let key = apply(number, bytes, name, value, checks, &reading) {
            open.append((notices.count + reading.notices.count - 1, key))
          }
        }
      }
      notices += reading.notices
      if reading.omittedLines > 0 {
        let lines = reading.omittedLines == 1 ? "line is" : "lines are"
        notices.append(
          SettingsNotice(
            kind: .wrong, file: source.name, line: nil, text: "",
            cause: .moreWrongLines(reading.omittedLines),
            reason: "\(reading.omittedLines) more wrong \(lines) ignored"))
      }
    }
    // The notices about refused values get the values in use only now, because all files must be read first.
    for (index, key) in open {
      notices[index].fallback = SettingsNotice.Fallback(
        value: key.shown(settings), origin: origin(of: key))
    }
  }

  /// The origin of a key's value.
  public func origin(of key: SettingKey) -> Origin { origins[key.name] ?? .standard }

  /// The layer that sets a key. Nil if the value is the default.
  public func layer(of key: SettingKey) -> Layer? { layers[key.name] }

  /// Stores that the driver has set a key, or that its value is the default.
  mutating func setOriginOfDriver(_ key: SettingKey, isSet: Bool) {
    origins[key.name] = isSet ? .driver : nil
    layers[key.name] = isSet ? .driver : nil
  }

  /// The name of the key that is most similar to an unknown name.
  static func nearest(_ name: String) -> String? {
    nearestWord(to: name, among: SettingKey.all.map(\.name))
  }

  private static func ordered(_ sources: [Source]) -> [Source] {
    Layer.allCases.flatMap { layer in sources.filter { $0.layer == layer } }
  }

  /// Must be called after the damaged file of the driver was replaced. Removes the notices about it.
  public mutating func replacedDriverFile() {
    driver.keptDamaged()
    notices.removeAll { $0.file == settings.driverFile }
  }

  /// True if a file or a line was ignored.
  public var hasWrongLines: Bool { notices.contains { $0.kind == .wrong } }

  // MARK: Parts

  /// The results of reading one file so far.
  private struct Reading {
    /// Maximum number of notices per file; further wrong lines are only counted.
    static let maximumNotices = 100

    let source: Source
    var notices: [SettingsNotice] = []
    var omittedLines = 0
    /// The numbers of the lines that set a value. The dictionary key is the name of the setting.
    var lines: [String: [Int]] = [:]

    init(source: Source) { self.source = source }

    /// - Returns: false if the file has ``maximumNotices`` notices already.
    @discardableResult
    mutating func add(
      _ kind: SettingsNotice.Kind, _ line: Int?, _ bytes: ArraySlice<UInt8>,
      _ cause: SettingsNotice.Cause, _ reason: String
    ) -> Bool {
      guard notices.count < Self.maximumNotices else {
        omittedLines += 1
        return false
      }
      notices.append(
        SettingsNotice(
          kind: kind, file: source.name, line: line, text: SettingsNotice.sanitized(bytes),
          cause: cause, reason: reason))
      return true
    }
  }

  /// - Returns: the key if its value was refused and the last notice is about this value. The caller must then add the
  ///   value in use to this notice.
  private mutating func apply(
    _ number: Int, _ bytes: ArraySlice<UInt8>, _ name: String, _ value: String,
    _ checks: SettingChecks, _ reading: inout Reading
  ) -> SettingKey? {
    if let reason = SettingKey.withoutEffect[name] {
      reading.add(
        .remark, number, bytes, .keyWithoutEffect,
        "this key does nothing any more, because \(reason); remove the line")
      return nil
    }
    let isOfDriver = reading.source.layer == .driver
    guard let key = SettingKey.named[name] else {
      // The value is kept, because a later version of the program can know the key.
      if isOfDriver { driver.keepUnknown(name, value) }
      let near = Self.nearest(name)
      reading.add(
        .wrong, number, bytes, .unknownKey(nearest: near),
        "unknown key" + (near.map { " (did you mean '\($0)'?)" } ?? "") + "; ignored")
      return nil
    }
    guard !isOfDriver || key.driver != nil else {
      driver.isDamaged = true
      reading.add(
        .wrong, number, bytes, .notOfDriver,
        "the driver cannot change this key; set it in another file; ignored")
      return nil
    }
    let earlier = reading.lines[name]
    var changed = settings
    // The first line of a list in a file replaces the list of earlier files. A line with an empty value clears the
    // list.
    if key.isList, earlier == nil || value.isEmpty { key.clear(&changed) }
    do throws(ValueRefusal) {
      try key.set(value, &changed, checks)
    } catch {
      if isOfDriver { driver.isDamaged = true }
      guard hasComment(value) else {
        return reading.add(.wrong, number, bytes, error.cause, error.reason) ? key : nil
      }
      let reason = "\(error.reason) (a comment needs its own line)"
      return reading.add(.wrong, number, bytes, .commentInValue, reason) ? key : nil
    }
    settings = changed
    if let earlier, !key.isList {
      reading.add(
        .remark, number, bytes, .repeatedKey(line: earlier[0]),
        "line \(earlier[0]) sets this key too; this line is used")
    }
    let lines = key.isList && !value.isEmpty ? (earlier ?? []) + [number] : [number]
    reading.lines[name] = lines
    layers[name] = reading.source.layer
    if isOfDriver {
      driver.values[name] = key.text(settings)
      origins[name] = .driver
    } else {
      origins[name] = .lines(file: reading.source.name, lines)
    }
    return nil
  }
}

/// True if the value seems to contain a comment (a space and `#`). This function does not call `String.contains` with
/// two characters, because that call would link the engine of regular expressions (1.4 MB).
private func hasComment(_ value: String) -> Bool {
  zip(value.utf8, value.utf8.dropFirst()).contains { $0 == (UInt8(ascii: " "), UInt8(ascii: "#")) }
}

extension SettingKey {
  static let named = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })
}

extension Configuration.Origin: CustomStringConvertible {
  /// `default`, `driver`, or `FILE:LINE`. For a list, `LINE` contains the numbers of all its lines, separated by
  /// commas.
  public var description: String {
    switch self {
    case .standard: "default"
    case .driver: "driver"
    case .lines(let file, let lines):
      "\(file):\(lines.map { String($0) }.joined(separator: ","))"
    }
  }
}
