/// RIFF with the form type `WAVE`, also with 64-bit lengths (RF64, BW64). Most of these files contain PCM.
enum WAVFile: FileFormat {
  static func begins(_ head: [UInt8], at start: Int64, _ source: any ByteSource) -> Bool {
    ["RIFF", "RF64", "BW64"].contains { head.isForm($0, of: "WAVE") }
  }

  static func header(_ source: any ByteSource, start: Int64) throws(DecodeError)
    -> AudioFile.Header
  {
    let header = try WAVHeader(source, start: start)
    switch header.sound {
    case .pcm(let stream):
      return AudioFile.Header(
        container: .wav, codec: .pcm, metadata: header.metadata, damage: header.damage,
        sound: stream)
    case .mpeg(let range):
      return try MPEGHeader(source, riff: range, header.metadata, header.damage).header(.wav)
    }
  }
}

/// `FORM` with the form type `AIFF` or `AIFC`: Apple's format for uncompressed sound.
enum AIFFFile: FileFormat {
  static func begins(_ head: [UInt8], at start: Int64, _ source: any ByteSource) -> Bool {
    ["AIFF", "AIFC"].contains { head.isForm("FORM", of: $0) }
  }

  static func header(_ source: any ByteSource, start: Int64) throws(DecodeError)
    -> AudioFile.Header
  {
    let header = try AIFFHeader(source, start: start)
    return AudioFile.Header(
      container: .aiff, codec: .pcm, metadata: header.metadata, damage: header.damage,
      sound: header.stream)
  }
}

extension [UInt8] {
  /// True if the bytes begin with a form: `name`, four bytes with the length, and the form type `type`.
  fileprivate func isForm(_ name: String, of type: String) -> Bool {
    starts(with: name.utf8) && dropFirst(8).starts(with: type.utf8)
  }
}

extension PCMStream: StoredSound {
  var declaredSeconds: Double? { Double(frameCount) / Double(format.sampleRate) }

  func decoder(_ source: any ByteSource, keepsSamples: Bool) -> any FileDecoder {
    PCMDecoder(source, self, keepsSamples: keepsSamples)
  }
}

extension AudioFile.Container {
  /// RIFF.
  public static let wav = Self(rawValue: "WAV")
  /// AIFF or AIFF-C.
  public static let aiff = Self(rawValue: "AIFF")
}

extension AudioFile.Codec {
  /// Uncompressed: 8 … 32 bits, or floating point.
  public static let pcm = Self(rawValue: "PCM")
}
