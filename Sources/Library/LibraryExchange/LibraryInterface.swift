/// The limits of ``LibraryProcess1``, and the names of its errors.
enum LibraryInterface {
  /// The path of the object.
  static let path = "/org/autoharp/library"

  /// Maximum size of an answer, in bytes. It is below the limit of a message to the daemon, which is 64 KB with the
  /// header.
  static let answerBytes = 56 << 10
  /// Maximum bytes of a text in a row. A longer text is cut.
  static let textBytes = 1024
  /// Maximum bytes of a path below a volume. The kernel opens no longer path.
  static let pathBytes = 4096
  /// Maximum bytes of the identity of a volume. That of a folder has its path.
  static let identityBytes = 4096 + 64
  /// Maximum bytes of a cursor. The library makes none that it does not accept.
  static let cursorBytes = 4096
  /// Maximum bytes of a thumbnail.
  static let thumbnailBytes = 16 << 10
  /// Maximum number of rows of a batch.
  static let maximumRows = 100
  /// Maximum number of headings of a list. They fit into an answer.
  static let maximumHeadings = 2000
  /// Maximum bytes of a heading.
  static let headingBytes = 64
  /// Maximum number of volumes that the library knows.
  static let maximumVolumes = 256
  /// Maximum number of causes for which files of a volume cannot be played.
  static let maximumCauses = 64
  /// Maximum duration of a song, in milliseconds: more than a month.
  static let maximumMilliseconds = 4_000_000_000
  /// Names of errors.
  enum ErrorName {
    static let unknownNode = "org.autoharp.Error.UnknownNode"
    static let noQuery = "org.autoharp.Error.NoQuery"
    static let failed = "org.autoharp.Error.Failed"
    static let unavailable = "org.autoharp.Error.Unavailable"
  }
}
