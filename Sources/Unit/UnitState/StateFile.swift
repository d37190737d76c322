/// The error that is thrown if a system call has failed.
struct StateFailure: Error, Hashable {
  /// The operation that failed, in words.
  enum Operation: String {
    case open = "cannot be opened"
    /// What was opened at the path is not a regular file, but for example a folder.
    case useAsFile = "is not a file"
    case lock = "cannot be locked"
    case read = "cannot be read"
    case write = "cannot be written"
    case putAside = "cannot be renamed"
  }

  let operation: Operation
  /// The `errno` of the system call.
  let code: Int32
}

/// The folder of the state file. This is a protocol, so that a test can make each operation fail.
///
/// - Thread: only the worker of ``StateStore``. Each call can block for as long as the medium takes.
protocol StateFolder: Sendable {
  /// The path of the file, for messages.
  var path: String { get }
  /// Opens the file, creates it if it is missing, and locks it. If the file cannot be written, it is opened for
  /// reading, and ``StateFile/refusal`` is the reason.
  func open() throws(StateFailure) -> any StateFile
  /// Renames the state file, so that a new file can be created.
  /// - Returns: the new path, for messages. Nil if the file was removed because it was too large to keep.
  func putAside() throws(StateFailure) -> String?
}

/// The open state file.
///
/// - Thread: only the worker of ``StateStore``.
protocol StateFile: AnyObject {
  /// The reason why the file cannot be written. Nil if the file can be written.
  var refusal: StateRefusal? { get }
  /// The size of the file in bytes.
  func size() throws(StateFailure) -> Int
  /// Reads `count` bytes, or fewer bytes if the file ends before.
  func read(_ count: Int, at offset: Int) throws(StateFailure) -> [UInt8]
  /// Passes all bytes to the system, which can write them to the medium later. After an error it is unknown which bytes
  /// were written.
  func write(_ bytes: [UInt8], at offset: Int) throws(StateFailure)
  /// Waits until the written bytes are on the medium. After an error the contents of the medium are unknown.
  /// - Parameter isNew: true if the file has grown. Then the call also waits until the size and the name of the file
  ///   are on the medium.
  func synchronise(isNew: Bool) throws(StateFailure)
  /// True if the path still leads to this file. False, for example, after the file or its medium was removed.
  var isAtItsPath: Bool { get }
}

/// The reason why an open file cannot be written.
enum StateRefusal: Hashable {
  /// Another process has locked the file.
  case locked
  /// A system call failed.
  case system(StateFailure)
}
