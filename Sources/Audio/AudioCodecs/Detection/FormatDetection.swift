/// Detects the format of a file by its content; the file name is not used.
enum FormatDetection {
  /// Number of bytes at the start of a file. In an undamaged file, these bytes show the format.
  static let headBytes = 16
  /// Number of bytes that are searched for the start of the sound.
  static let searchBytes = 64 * 1024

  /// - Parameter isNamed: see ``AudioFile/header(_:isNamed:)``.
  /// - Throws: ``DecodeError/Reaction/refuseFile``; the text names the detected format.
  static func detect(_ source: any ByteSource, isNamed: Bool) throws(DecodeError)
    -> (format: any FileFormat.Type, start: Int64)
  {
    guard source.size > 0 else {
      throw DecodeError(.refuseFile, at: .byte(0), "the file is empty", kind: .emptyFile)
    }
    return try DecodeError.convertingErrors(to: .refuseFile) { () throws(ByteSourceError) in
      try find(source, isNamed: isNamed)
    }.get()
  }

  private static func find(_ source: any ByteSource, isNamed: Bool) throws(ByteSourceError)
    -> Result<(format: any FileFormat.Type, start: Int64), DecodeError>
  {
    let start = try ID3Tag.Header.all(source).last?.end ?? 0
    let begin = try source.prefix(at: start, count: headBytes)
    for format in FileFormats.all where try format.begins(begin, at: start, source) {
      if isNamed { return .success((format, start)) }
      if try format.isMost(source, from: start, first: start) { return .success((format, start)) }
    }
    // Foreign formats are checked before the search, because most foreign formats are recognised without the bytes that
    // the search reads.
    if let foreign = try ForeignContent.marked(source, start: start, begin: begin) {
      return .failure(refusal(foreign, at: start))
    }
    let head = try source.prefix(at: start, count: searchBytes)
    if let foreign = ForeignContent.unmarked(head) {
      return .failure(refusal(foreign, at: start))
    }
    var first: (format: any FileFormat.Type, start: Int64)?
    for format in FileFormats.all {
      guard let found = try format.search(head, from: start, source), found < first?.start ?? .max
      else { continue }
      if !isNamed, try !format.isMost(source, from: start, first: found) { continue }
      first = (format, found)
    }
    guard let first else {
      return .failure(
        DecodeError(
          .refuseFile, at: .byte(start), "the format of the file is unknown",
          kind: .unknownFormat))
    }
    return .success(first)
  }

  private static func refusal(_ format: ForeignFormat, at start: Int64) -> DecodeError {
    DecodeError(.refuseFile, at: .byte(start), format.reason, kind: .foreignFormat(format))
  }
}

extension [UInt8] {
  /// The first index at which `pattern` begins.
  func firstIndex(of pattern: [UInt8]) -> Int? {
    guard count >= pattern.count else { return nil }
    return (0...count - pattern.count).first {
      self[$0] == pattern[0] && self[$0..<$0 + pattern.count].elementsEqual(pattern)
    }
  }
}
