/// A codec in Ogg that can be played. For each codec, one type conforms to this protocol and is listed in
/// ``OggCodecs/all``.
protocol OggCodec: SendableMetatype {
  static var codec: AudioFile.Codec { get }
  /// The first bytes of the stream's first packet.
  static var signature: [UInt8] { get }
  /// Name and version of the library, for display. Nil if no library is used.
  static var library: String? { get }

  /// Reads the header packets without the library.
  /// - Throws: ``DecodeError/Reaction/refuseFile`` if the link cannot be played.
  static func header(_ source: any ByteSource, link: OggLink) throws(DecodeError) -> OggLinkHeader

  /// - Throws: ``DecodeError/Reaction/refuseFile`` if the link cannot be played.
  static func decoder(_ source: any ByteSource, link: OggLink, keepsSamples: Bool)
    throws(DecodeError) -> any LinkDecoder
}

/// The table of the codecs in Ogg.
enum OggCodecs {
  static let all: [any OggCodec.Type] = [OggFLAC.self, OggVorbis.self, OggOpus.self]
}

/// What the header packets of a link contain.
struct OggLinkHeader {
  let metadata: AudioMetadata
  let damage: [DecodeError]
  /// STREAMINFO, if the codec is FLAC.
  var streamInfo: FLACStreamInfo?
  /// See ``AudioFile/Header/oggStream``.
  var stream: OggStream?
}

/// Identifies the sound of an Ogg file. Does not depend on the tags.
public struct OggStream: Equatable, Sendable {
  /// The serial number of the stream. Most encoders choose it at random.
  public let serial: Int32
  /// The first packet: rate, channels, and settings of the encoder.
  public let identification: [UInt8]
  /// Number of bytes from the first page with sound to the end of the file.
  public let soundBytes: Int64
}
