/// An error in a stream, sorted by what the caller does next.
public struct DecodeError: Error, Equatable, Sendable {
  /// What the caller does next.
  public enum Reaction: Equatable, Sendable {
    /// Something is missing or differs from its header. Decoding continues after this part.
    case skipPacket
    /// The stream has no more frames; the frames before are valid.
    case endTrack
    /// The file cannot be played at all.
    case refuseFile
  }

  /// The place of the error.
  public enum Location: Equatable, Sendable {
    /// Bytes from the start of the file.
    case byte(Int64)
    /// Frames from the start of the stream.
    case frame(Int64)
  }

  /// What the caller does next.
  public let reaction: Reaction
  /// The place of the error.
  public let location: Location
  /// The reason, for the people in the car.
  public let reason: String

  /// Creates an error.
  public init(_ reaction: Reaction, at location: Location, _ reason: String) {
    self.reaction = reaction
    self.location = location
    self.reason = reason
  }

  init(_ error: ByteSourceError, _ reaction: Reaction) {
    self.init(reaction, at: .byte(error.offset), "cannot be read: \(error.reason)")
  }

  /// Runs `read`. If the medium fails, throws an error with `reaction`.
  static func reacting<T>(by reaction: Reaction, _ read: () throws(ByteSourceError) -> T)
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
  /// For example `byte 1234: lost sync`. A surface puts the file's name in front.
  public var description: String {
    switch location {
    case .byte(let offset): "byte \(offset): \(reason)"
    case .frame(let frame): "frame \(frame): \(reason)"
    }
  }
}
