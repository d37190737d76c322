/// A format of files that can be played. Each format has a type that conforms, and a line in ``FileFormats/all``.
protocol FileFormat: SendableMetatype {
  /// Name and version of the library, for people. Nil if the project itself decodes, or if ``OggCodec/library`` has it.
  static var library: String? { get }

  /// True if a file of this format begins at `start`.
  /// - Parameter head: the first ``FormatDetection/headBytes`` from `start`, or fewer at the end.
  static func begins(_ head: [UInt8], at start: Int64, _ source: any ByteSource)
    throws(ByteSourceError) -> Bool

  /// Searches for the first offset at which this format begins. It is called only if no format begins at `start`,
  /// because other data precedes the sound or the beginning of the file is missing.
  /// - Parameter head: the first ``FormatDetection/searchBytes`` from `start`, or fewer at the end.
  static func search(_ head: [UInt8], from start: Int64, _ source: any ByteSource)
    throws(ByteSourceError) -> Int64?

  /// True if most of the bytes from `start` on are sound. Asked if no name says that the file is music.
  /// - Parameter first: the offset at which this format begins.
  static func isMost(_ source: any ByteSource, from start: Int64, first: Int64)
    throws(ByteSourceError) -> Bool

  /// Reads the header, without decoding sound.
  /// - Throws: ``DecodeError/Reaction/refuseFile`` if the file cannot be played.
  static func header(_ source: any ByteSource, start: Int64) throws(DecodeError)
    -> AudioFile.Header
}

extension FileFormat {
  static var library: String? { nil }

  static func search(_ head: [UInt8], from start: Int64, _ source: any ByteSource) -> Int64? { nil }

  /// A format with a header that begins in other data is a part of it.
  static func isMost(_ source: any ByteSource, from start: Int64, first: Int64) -> Bool {
    first == start
  }
}

/// A format that begins with fixed bytes.
protocol SignedFormat: FileFormat {
  static var signature: [UInt8] { get }
}

extension SignedFormat {
  static func begins(_ head: [UInt8], at start: Int64, _ source: any ByteSource) -> Bool {
    head.starts(with: signature)
  }

  static func search(_ head: [UInt8], from start: Int64, _ source: any ByteSource) -> Int64? {
    head.firstIndex(of: signature).map { start + Int64($0) }
  }
}

/// The table of the formats. If two formats fit, the earlier one is used.
enum FileFormats {
  static let all: [any FileFormat.Type] = [
    FLACFile.self, OggFile.self, WAVFile.self, AIFFFile.self, MPEGFile.self, FLACFrames.self,
  ]
}

/// The sound of a file: its range and what the header states about it.
protocol StoredSound {
  /// See ``AudioFile/Header/declaredSeconds``.
  var declaredSeconds: Double? { get }

  /// A decoder at the first frame.
  /// - Throws: ``DecodeError/Reaction/refuseFile`` if the sound cannot be played.
  func decoder(_ source: any ByteSource, keepsSamples: Bool) throws(DecodeError)
    -> any FileDecoder
}

/// A decoder with the facts of its file.
protocol FileDecoder: AudioDecoder {
  /// See ``AudioFile/frameCount``.
  var frameCount: Int64? { get }
  /// See ``AudioFile/linkCount``.
  var linkCount: Int { get }
  /// See ``AudioFile/checkMD5()``.
  func checkMD5() -> Bool?
}

extension FileDecoder {
  var linkCount: Int { 1 }
  /// Most codecs have no MD5.
  func checkMD5() -> Bool? { nil }
}
