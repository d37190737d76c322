/// A file format that can be played. For each format, one type conforms to this protocol and is listed in
/// ``FileFormats/all``.
protocol FileFormat: SendableMetatype {
  /// Name and version of the decoding library, for display. Nil if no library is used, or if ``OggCodec/library`` names
  /// it.
  static var library: String? { get }

  /// True if a file of this format begins at `start`.
  /// - Parameter head: the first ``FormatDetection/headBytes`` bytes from `start`, or fewer if the file ends before.
  static func begins(_ head: [UInt8], at start: Int64, _ source: any ByteSource)
    throws(ByteSourceError) -> Bool

  /// Searches for the first offset at which this format begins. It is called only if no format begins at `start`,
  /// because other data precedes the sound or the beginning of the file is missing.
  /// - Parameter head: the first ``FormatDetection/searchBytes`` bytes from `start`, or fewer if the file ends before.
  static func search(_ head: [UInt8], from start: Int64, _ source: any ByteSource)
    throws(ByteSourceError) -> Int64?

  /// True if most of the bytes from `start` on are sound. Called if neither the file name nor a user says that the file
  /// is music.
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

  /// The default, for formats with a header: if the header is not at `start`, the sound is only a part of other data.
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

/// The sound of a file: where it is in the file, and what the header states about it.
protocol StoredSound {
  /// See ``AudioFile/Header/declaredSeconds``.
  var declaredSeconds: Double? { get }

  /// Creates a decoder, which is at the first frame.
  /// - Throws: ``DecodeError/Reaction/refuseFile`` if the sound cannot be played.
  func decoder(_ source: any ByteSource, keepsSamples: Bool) throws(DecodeError)
    -> any FileDecoder
}

/// A decoder for a file, with facts about the whole file.
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
  /// Returns nil, because most codecs have no MD5.
  func checkMD5() -> Bool? { nil }
}
