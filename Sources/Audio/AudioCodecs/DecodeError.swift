/// What went wrong with a stream, by what the caller does next.
public struct DecodeError: Error, Equatable, Sendable {
  /// The caller's next move.
  public enum Reaction: Equatable, Sendable {
    /// Something is missing or not as its header says; the decoder goes on behind it.
    case skipPacket
    /// Nothing more comes from this stream; what came before is good.
    case endTrack
    /// The file cannot be played at all.
    case refuseFile
  }

  /// Where it went wrong.
  public enum Location: Equatable, Sendable {
    /// Bytes from the start of the file.
    case byte(Int64)
    /// Frames from the start of the stream.
    case frame(Int64)
  }

  /// What the caller does next.
  public let reaction: Reaction
  /// Where.
  public let location: Location
  /// Why, in words for the person in the car.
  public let reason: String

  /// Joins the three.
  public init(_ reaction: Reaction, at location: Location, _ reason: String) {
    self.reaction = reaction
    self.location = location
    self.reason = reason
  }

  init(_ error: ByteSourceError, _ reaction: Reaction) {
    self.init(reaction, at: .byte(error.offset), "cannot be read: \(error.reason)")
  }

  /// Runs `read`, for callers whose next move is `reaction` where the medium fails.
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
  /// `byte 1234: lost sync`: a surface puts the file's name in front.
  public var description: String {
    switch location {
    case .byte(let offset): "byte \(offset): \(reason)"
    case .frame(let frame): "frame \(frame): \(reason)"
    }
  }
}
