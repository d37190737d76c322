/// The limits of ``LibraryProcess1``, and the names of its errors.
enum LibraryInterface {
  /// The path of the D-Bus object.
  static let path = "/org/autoharp/library"

  /// Maximum size of an answer in bytes. A message to the daemon, with its header, can have at most 64 KB.
  static let answerBytes = 56 << 10
  /// Maximum length in bytes of a text in a row. A longer text is cut.
  static let textBytes = 1024
  /// Maximum length in bytes of a path below a volume. The kernel does not open longer paths.
  static let pathBytes = 4096
  /// Maximum length in bytes of the identity of a volume. The identity of a music folder contains its path.
  static let identityBytes = 4096 + 64
  /// Maximum length of a cursor in bytes. The library creates and accepts only cursors up to this length.
  static let cursorBytes = 4096
  /// Maximum size of a thumbnail in bytes.
  static let thumbnailBytes = 16 << 10
  /// Maximum number of rows of a batch.
  static let maximumRows = 100
  /// Maximum number of headings of a list. This number fits into an answer.
  static let maximumHeadings = 2000
  /// Maximum length of a heading in bytes.
  static let headingBytes = 64
  /// Maximum number of volumes that the library knows.
  static let maximumVolumes = 256
  /// Maximum number of different causes in ``VolumeReport/causes``.
  static let maximumCauses = 64
  /// Maximum duration of a song in milliseconds. It is more than a month.
  static let maximumMilliseconds = 4_000_000_000
  /// Names of errors.
  enum ErrorName {
    static let unknownNode = "org.autoharp.Error.UnknownNode"
    static let noQuery = "org.autoharp.Error.NoQuery"
    static let failed = "org.autoharp.Error.Failed"
    static let unavailable = "org.autoharp.Error.Unavailable"
  }
}
