/// A system call that failed.
struct StateFailure: Error, Hashable {
  /// The operation that failed, in words.
  enum Operation: String {
    case open = "cannot be opened"
    /// The path was opened, but it is not a file. It may be a folder.
    case useAsFile = "is not a file"
    case lock = "cannot be locked"
    case read = "cannot be read"
    case write = "cannot be written"
    case putAside = "cannot be renamed"
  }

  let operation: Operation
  /// The error number of the system.
  let code: Int32
}

/// The folder of the state file. It is a protocol, so that a test can make any operation fail.
///
/// - Thread: the store's worker only. Each call may block for as long as the medium takes.
protocol StateFolder: Sendable {
  /// The path of the file, for people.
  var path: String { get }
  /// Opens the file, creates it if it is missing, and locks it. If the file can only be read, it is opened for reading,
  /// and ``StateFile/refusal`` has the reason.
  func open() throws(StateFailure) -> any StateFile
  /// Renames the file, so that a new one can be created.
  /// - Returns: the new path, for people; nil if the file was too large to keep and was removed.
  func putAside() throws(StateFailure) -> String?
}

/// The open state file.
///
/// - Thread: the store's worker only, as for ``StateFolder``.
protocol StateFile: AnyObject {
  /// The reason why the file cannot be written. Nil if the file can be written.
  var refusal: StateRefusal? { get }
  /// The size in bytes.
  func size() throws(StateFailure) -> Int
  /// Reads `count` bytes, or fewer at the end of the file.
  func read(_ count: Int, at offset: Int) throws(StateFailure) -> [UInt8]
  /// Passes all bytes to the system, which may write them to the medium later. After an error it is unknown which of
  /// the bytes were written.
  func write(_ bytes: [UInt8], at offset: Int) throws(StateFailure)
  /// Waits until the written bytes are on the medium. After an error the contents of the medium are unknown.
  /// - Parameter isNew: true if the file has grown. Then the call also waits until the size and the name of the file
  ///   are on the medium.
  func synchronise(isNew: Bool) throws(StateFailure)
  /// True if the path still leads to this file. The file or its medium may have been removed.
  var isAtItsPath: Bool { get }
}

/// The reason why an open file is not written.
enum StateRefusal: Hashable {
  /// Another process has locked the file.
  case locked
  /// A system call failed.
  case system(StateFailure)
}
