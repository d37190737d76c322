/// A picture that was found and has a valid header. Its pixels are not checked; surfaces decode them.
public struct Cover: Sendable, Equatable {
  /// Where the picture was found.
  public enum Origin: Sendable, Equatable {
    /// In the music file, with this picture type of RFC 9639 (3 is the front cover).
    case embedded(type: UInt32)
    /// In the folder of the music file, under this name.
    case folder(name: String)
  }

  /// Identifies the picture. Equal bytes have equal keys.
  public let key: PictureKey
  /// The kind of the picture, determined from the bytes. A declared type is ignored.
  public let kind: ImageKind
  /// Width in pixels.
  public let width: Int
  /// Height in pixels.
  public let height: Int
  /// The path of the file in the cache that contains the bytes. The cache never gives this file name to another
  /// picture. Nil if the cache does not contain the picture. Then no surface can show the cover. The cache can remove
  /// the file when it stores newer covers.
  public let path: String?
  /// Where the picture was found.
  public let origin: Origin
}

/// A request for the cover of one content.
public struct CoverRequest: Sendable, Hashable {
  /// The identity of the content (A2). It stays the same as long as the same content plays.
  public let contentID: String
  /// The path of the music file. The folder of this file is searched too.
  public let path: String
  /// The folder of the medium that contains the file. Nil if the file is not on a medium.
  let medium: String?

  /// Creates a request for the cover of a file.
  public init(contentID: String, path: String, medium: String? = nil) {
    self.contentID = contentID
    self.path = path
    self.medium = medium
  }

  /// True if both requests are about the same content and file. The medium is not compared, because it follows from the
  /// path.
  public static func == (left: CoverRequest, right: CoverRequest) -> Bool {
    left.contentID == right.contentID && left.path == right.path
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(contentID)
    hasher.combine(path)
  }
}

/// The answer to a request. A request that was replaced by another request gets no answer.
public struct CoverAnswer: Sendable, Equatable {
  /// The request.
  public let request: CoverRequest
  /// Nil if there is no cover. Surfaces then show the placeholder.
  public let cover: Cover?
  /// What was skipped during the search, and why.
  public let notices: [CoverNotice]
}

/// A notice for the log, for example about a picture that was skipped or is mislabelled.
public struct CoverNotice: Sendable, Hashable {
  /// The subject of the notice.
  public enum Subject: Sendable, Hashable {
    /// The music file itself.
    case musicFile
    /// A picture in the music file: its index from 0, and its type as text.
    case embedded(index: Int, type: String)
    /// The folder of the music file.
    case folder
    /// A picture in the folder. ``CoverNotice/file`` is the path of the picture.
    case folderImage
    /// The cache. ``CoverNotice/file`` is the path of the folder of the cache.
    case cache
  }

  /// The reason of the notice.
  public enum Reason: Sendable, Hashable {
    /// The subject was skipped.
    case refused(CoverFault)
    /// The picture is used, but its name or MIME type declares another kind.
    case mislabelled(declared: String, actual: ImageKind)
    /// There are more pictures or names than the limit. The rest is ignored.
    case tooMany(limit: Int)
    /// The file contains a URL instead of a picture. The search does not open URLs.
    case address
  }

  /// The path of the file or folder.
  public let file: String
  /// The subject.
  public let subject: Subject
  /// The reason.
  public let reason: Reason

  /// Creates a notice.
  package init(file: String, subject: Subject, reason: Reason) {
    self.file = file
    self.subject = subject
    self.reason = reason
  }
}

extension CoverNotice: CustomStringConvertible {
  /// One line for the log.
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
    case .mislabelled(let declared, let actual):
      "is \(actual == .jpeg ? "JPEG" : "PNG"), but is declared as \(declared)"
    case .tooMany(let limit): "has more entries than the limit of \(limit)"
    case .address: "is a web address, not a picture"
    }
  }
}
