/// A picture that was found, and whose header is good. Its pixels are the surfaces' business.
public struct Cover: Sendable, Equatable {
  /// Where it was found.
  public enum Origin: Sendable, Equatable {
    /// In the music file, as this type of RFC 9639 (3 is the front cover).
    case embedded(type: UInt32)
    /// In the file's folder, under this name.
    case folder(name: String)
  }

  /// What it is known by: the same for the same bytes.
  public let key: PictureKey
  /// By its bytes, whatever was declared.
  public let kind: ImageKind
  /// Pixels across.
  public let width: Int
  /// Pixels down.
  public let height: Int
  /// The picture file, as it is.
  public let bytes: [UInt8]
  /// Where the same bytes stand as a file whose name no other picture ever has; nil where there
  /// is no cache. It may go as newer covers come.
  public let path: String?
  /// Where it was found.
  public let origin: Origin
}

/// What a cover is wanted for.
public struct CoverRequest: Sendable, Hashable {
  /// For which content (A2): the same as long as the same thing plays.
  public let contentID: String
  /// The music file; its folder is searched, too.
  public let path: String

  /// Joins the two.
  public init(contentID: String, path: String) {
    self.contentID = contentID
    self.path = path
  }
}

/// What became of a request. There is one for each that was not overtaken by another.
public struct CoverAnswer: Sendable, Equatable {
  /// What was asked.
  public let request: CoverRequest
  /// Nil where there is none: the placeholder is shown.
  public let cover: Cover?
  /// What was left out on the way, and why.
  public let notices: [CoverNotice]
}

/// Something for a log: what was left out, or is not as it says.
public struct CoverNotice: Sendable, Hashable {
  /// What it is about.
  public enum Subject: Sendable, Hashable {
    /// The music file itself.
    case musicFile
    /// A picture in it, counted from 0, and its type in words.
    case embedded(index: Int, type: String)
    /// The folder.
    case folder
    /// A picture in the folder; the notice's file is the picture.
    case folderImage
    /// The cache; the notice's file is its folder.
    case cache
  }

  /// Why it is told.
  public enum Reason: Sendable, Hashable {
    /// It was left out.
    case refused(CoverFault)
    /// It is shown, but is of another kind than its name or MIME type says.
    case mislabelled(declared: String, really: ImageKind)
    /// More was there than is looked at.
    case tooMany(limit: Int)
    /// It is a link to a picture elsewhere, which is not followed.
    case address
  }

  /// Where.
  public let file: String
  /// What.
  public let subject: Subject
  /// Why.
  public let reason: Reason
}

extension CoverNotice: CustomStringConvertible {
  /// One line for a log.
  public var description: String { "\(file): \(subjectText)\(reasonText)" }

  private var subjectText: String {
    switch subject {
    case .musicFile, .folderImage: ""
    case .embedded(let index, let type): "picture \(index + 1) (\(type)) "
    case .folder: "its folder "
    case .cache: "the cache of covers "
    }
  }

  private var reasonText: String {
    switch reason {
    case .refused(let fault): fault.description
    case .mislabelled(let declared, let really):
      "says that it is \(declared), and is \(really == .jpeg ? "JPEG" : "PNG")"
    case .tooMany(let limit): "has more than the \(limit) that are looked at"
    case .address: "is a web address, not a picture"
    }
  }
}
