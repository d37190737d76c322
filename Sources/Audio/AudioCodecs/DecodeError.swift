/// An error in a stream. ``reaction`` says what the caller does next.
public struct DecodeError: Error, Equatable, Sendable {
  /// What the caller does next.
  public enum Reaction: Equatable, Sendable {
    /// A part of the stream is missing or differs from its header. Decoding continues after this part.
    case skipPacket
    /// The stream has no more frames. The frames before the error are valid.
    case endTrack
    /// The file cannot be played at all.
    case refuseFile
  }

  /// The location of the error.
  public enum Location: Equatable, Sendable {
    /// Bytes from the start of the file.
    case byte(Int64)
    /// Frames from the start of the stream.
    case frame(Int64)
  }

  /// What is wrong. Callers compare this value and not ``reason``, because the text of the reason can change.
  public enum Kind: Equatable, Sendable {
    /// The file has no bytes.
    case emptyFile
    /// The format of the file is recognised, but cannot be played.
    case foreignFormat(ForeignFormat)
    /// The container is supported, but its coding is not. The reason names the coding.
    case otherFormat
    /// The format is unknown.
    case unknownFormat
    /// The path leads to something other than a regular file.
    case irregularFile
    /// The path leads through a link to a file on another medium.
    case outsideMedium
    /// The medium cannot be read.
    case unreadable
    /// The unit has no right to read the file.
    case notPermitted
    /// There is no file with this path.
    case missingFile
    /// A part of the file is larger than the limit for this part.
    case tooLarge
    /// The decoded frames differ from what the header states.
    case headerMismatch
    /// This number of frames is missing.
    case missingFrames(Int64)
    /// Data of unknown length is missing or damaged.
    case missingData
    /// The last Ogg page is missing.
    case missingLastPage
    /// An error that only the reason describes.
    case other
  }

  /// What the caller does next.
  public let reaction: Reaction
  /// What is wrong.
  public let kind: Kind
  /// The location of the error.
  public let location: Location
  /// The reason in words, for log and console.
  public let reason: String

  /// Creates an error.
  public init(
    _ reaction: Reaction, at location: Location, _ reason: String, kind: Kind = .other
  ) {
    self.reaction = reaction
    self.kind = kind
    self.location = location
    self.reason = reason
  }

  init(_ error: ByteSourceError, _ reaction: Reaction) {
    self.init(
      reaction, at: .byte(error.offset), "cannot be read: \(error.reason)", kind: .unreadable)
  }

  /// The same error with another reaction.
  func withReaction(_ reaction: Reaction) -> DecodeError {
    DecodeError(reaction, at: location, reason, kind: kind)
  }

  /// Runs `read`. If the medium fails, throws an error with `reaction`.
  static func convertingErrors<T>(to reaction: Reaction, _ read: () throws(ByteSourceError) -> T)
    throws(DecodeError) -> T
  {
    do {
      return try read()
    } catch {
      throw DecodeError(error, reaction)
    }
  }
}

extension DecodeError: CustomStringConvertible {
  /// For example `byte 1234: not a FLAC frame`. A surface writes the name of the file before this text.
  public var description: String {
    switch location {
    case .byte(let offset): "byte \(offset): \(reason)"
    case .frame(let frame): "frame \(frame): \(reason)"
    }
  }
}
