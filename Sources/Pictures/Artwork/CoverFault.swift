/// The reason why a picture is not shown.
public enum CoverFault: Error, Hashable, Sendable {
  /// The file cannot be opened or read, or its stick was removed. The value is the reason as text.
  case unreadable(String)
  /// The file has no bytes.
  case empty
  /// The file has more bytes than ``CoverLimits/bytes``.
  case tooManyBytes(Int64)
  /// The first bytes belong to another kind of picture or file.
  case otherKind(String)
  /// The first bytes do not belong to a known kind.
  case unknownKind
  /// The file ends before the part of the header that contains the size of the picture.
  case truncated
  /// The header violates the rules of its format.
  case damaged(String)
  /// The header is valid, but few programs can draw a picture of this kind.
  case unsupported(String)
  /// The picture has more pixels than the limits allow.
  case tooLarge(width: Int, height: Int)
}

extension CoverFault: CustomStringConvertible {
  /// The reason as text. In a log line, the name of the file precedes this text.
  public var description: String {
    switch self {
    case .unreadable(let reason): reason
    case .empty: "is empty"
    case .tooManyBytes(let count): "has \(count) bytes, more than the limit"
    case .otherKind(let kind): "is \(kind); only JPEG and PNG are supported"
    case .unknownKind: "is not JPEG or PNG"
    case .truncated: "is cut off within its header"
    case .damaged(let reason), .unsupported(let reason): reason
    case .tooLarge(let width, let height): "has \(width)×\(height) pixels, more than the limit"
    }
  }
}
