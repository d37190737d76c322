/// A call that the system refused.
struct StateFailure: Error, Equatable {
  /// What could not be done with the file, in words.
  enum Operation: String {
    case open = "cannot be opened"
    /// It was, but is something else, as a folder.
    case useAsFile = "is not a file"
    case lock = "cannot be locked"
    case read = "cannot be read"
    case write = "cannot be written"
    case putAside = "cannot be put aside"
  }

  let operation: Operation
  /// What the system said.
  let code: Int32
}

/// The folder that the state's file is in, so that a test can let anything fail.
///
/// - Thread: the store's worker only. Every call may block for as long as the medium takes.
protocol StateFolder: Sendable {
  /// For people: where the file is.
  var path: String { get }
  /// Opens the file, makes it where there is none, and locks it. One that can only be read is
  /// opened so, with the reason why in ``StateFile/refusal``.
  func open() throws(StateFailure) -> any StateFile
  /// Gives the file another name, so that a new one can be made.
  /// - Returns: the other path, for people; nil where it was too large to be kept.
  func putAside() throws(StateFailure) -> String?
}

/// The file, open.
///
/// - Thread: as ``StateFolder``.
protocol StateFile: AnyObject {
  /// Why nothing can be written; nil where it can.
  var refusal: StateRefusal? { get }
  /// Bytes in it.
  func size() throws(StateFailure) -> Int
  /// Fewer bytes than `count` at its end.
  func read(_ count: Int, at offset: Int) throws(StateFailure) -> [UInt8]
  /// All of them, though not yet to the medium. After an error any part of them may be there.
  func write(_ bytes: [UInt8], at offset: Int) throws(StateFailure)
  /// Waits until the medium has what was written. After an error nobody knows what it has.
  /// - Parameter isNew: whether the file grew, so that its size and name must be there too.
  func synchronise(isNew: Bool) throws(StateFailure)
  /// Whether the path still leads to this file: it may have been removed, or its medium pulled.
  var isInPlace: Bool { get }
}

/// Why an open file is not written.
enum StateRefusal: Equatable {
  /// Another process has it.
  case locked
  /// The system said no.
  case system(StateFailure)
}
