extension Configuration {
  /// All keys with the values in use (none, one, or a list) and their origins.
  public var rows: [(name: String, values: [String], origin: Origin)] {
    SettingKey.all.map { ($0.name, $0.texts(settings).filter { !$0.isEmpty }, origin(of: $0)) }
  }

  /// The origin of a value, with its layer: `default`, `driver`, `owner, FILE:LINE`.
  public func originText(_ name: String) -> String {
    guard let key = SettingKey.named[name], let layer = layer(of: key), layer != .driver else {
      return (origins[name] ?? .standard).description
    }
    return "\(layer.rawValue), \(origin(of: key))"
  }

  /// All keys with the values in use and their origins, one line per value.
  public var table: [String] {
    let rows = rows.flatMap { name, values, _ in
      (values.isEmpty ? [""] : values).map { value in
        ("\(name) = \(value)".trimmedAtEnd, originText(name))
      }
    }
    // Rows with more than 60 characters do not change the width of the first column. Otherwise one long path would
    // shift the origins of all keys to the right.
    let width = rows.map(\.0.count).filter { $0 <= 60 }.max() ?? 0
    return rows.map { row, origin in
      row + String(repeating: " ", count: max(0, width - row.count)) + "  (\(origin))"
    }
  }
}

extension String {
  fileprivate var trimmedAtEnd: String {
    var text = self
    while text.last == " " { text.removeLast() }
    return text
  }
}
