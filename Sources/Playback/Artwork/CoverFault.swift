/// Why a picture is not shown.
public enum CoverFault: Error, Hashable, Sendable {
  /// It cannot be opened or read, in the system's words, or a stick was pulled.
  case unreadable(String)
  /// It has no bytes.
  case empty
  /// It has more bytes than a cover may have.
  case tooManyBytes(Int64)
  /// It is a picture of another kind, or something else that is known by its first bytes.
  case otherKind(String)
  /// Its first bytes are of no kind that is known.
  case unknownKind
  /// It ends before its size is said.
  case truncated
  /// Its header breaks the rules of its kind.
  case damaged(String)
  /// Its header keeps the rules, but hardly anything can draw it.
  case unsupported(String)
  /// It has more pixels than a cover may have.
  case tooLarge(width: Int, height: Int)
}

extension CoverFault: CustomStringConvertible {
  /// In words, behind the name of a file.
  public var description: String {
    switch self {
    case .unreadable(let reason): reason
    case .empty: "is empty"
    case .tooManyBytes(let count): "has \(count) bytes, which is too many"
    case .otherKind(let kind): "is \(kind), neither JPEG nor PNG"
    case .unknownKind: "is neither JPEG nor PNG"
    case .truncated: "ends within its header"
    case .damaged(let reason), .unsupported(let reason): reason
    case .tooLarge(let width, let height): "has \(width)×\(height) pixels, which is too many"
    }
  }
}
