internal import Files
internal import Text

/// A file that permits a program to be a source of music: `ID.app`. Its lines have the same syntax as the
/// configuration.
///
/// Unlike a file of the configuration, a file with a wrong line is ignored as a whole, because it gives rights.
public struct AppFile: Hashable, Sendable {
  /// The folder with the files of this system.
  public static let standardFolder = "/usr/share/autoharp/apps"

  /// The identity of the app: the name of the file without `.app`. 1 to 32 small letters, digits and `-`, beginning
  /// with a letter.
  public let id: String
  /// The name of the user of the program.
  public let user: String
  /// The name for people.
  public let name: String
  /// True if the app may speak over music.
  public let prompts: Bool
  /// True if the unit believes the app that a person has started playback.
  public let person: Bool
  /// The path of a picture of the app. Nil if it has none.
  public let picture: String?

  /// Reads a file.
  /// - Parameter name: the name of the file, without its folder.
  public init(name file: String, bytes: [UInt8]) throws(AppFileError) {
    let suffix = ".app"
    let id = file.hasSuffix(suffix) ? String(file.dropLast(suffix.count)) : ""
    guard id.isIdentifier else { throw .invalidFileName }
    var values: [Key: String] = [:]
    for line in ConfigurationLines(Configuration.Source(name: file, bytes: bytes)) {
      switch line {
      case .notice(.remark, _, _, _, _): break
      case .notice(.wrong, let number, _, let cause, _): throw .wrongLine(number, cause)
      case .pair(let number, _, let name, let value):
        guard let key = Key(rawValue: name) else {
          throw .wrongLine(number, .unknownKey(nearest: nil))
        }
        guard Self.isValid(value, of: key) else { throw .wrongLine(number, .invalidValue) }
        if values.updateValue(value, forKey: key) != nil { throw .repeatedKey(line: number) }
      }
    }
    guard let user = values[.user] else { throw .missingKey("user") }
    guard let name = values[.name] else { throw .missingKey("name") }
    self.id = id
    self.user = user
    self.name = name
    prompts = values[.prompts] == "yes"
    person = values[.person] == "yes"
    picture = values[.picture]
  }

  private enum Key: String {
    case user, name, prompts, person, picture
  }

  private static func isValid(_ value: String, of key: Key) -> Bool {
    switch key {
    case .user: (1...32).contains(value.utf8.count) && value != "root"
    case .name: (1...256).contains(value.utf8.count)
    case .prompts, .person: value == "yes" || value == "no"
    case .picture: value.hasPrefix("/") && value.utf8.count <= 4095
    }
  }
}

/// The reason why a file of an app is ignored.
public enum AppFileError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The name of the file is not an identity and `.app`.
  case invalidFileName
  /// The file cannot be read, is not a regular file, or is larger than ``AppFiles/maximumBytes``.
  case unreadable
  /// A line is wrong. The number is nil if the whole file is wrong.
  case wrongLine(Int?, SettingsNotice.Cause)
  /// A line sets a key again.
  case repeatedKey(line: Int)
  /// A key that each file needs is missing.
  case missingKey(String)

  /// The error in words, for logs.
  public var description: String {
    switch self {
    case .invalidFileName: "the name must be small letters, digits and '-', and '.app'"
    case .unreadable: "it is not a file of at most \(AppFiles.maximumBytes) bytes"
    case .wrongLine(let line?, let cause): "line \(line) is wrong: \(cause)"
    case .wrongLine(nil, let cause): "it is wrong: \(cause)"
    case .repeatedKey(let line): "line \(line) sets a key again"
    case .missingKey(let key): "it has no '\(key)'"
    }
  }
}

/// The files of apps in a folder.
public struct AppFiles: Equatable, Sendable {
  /// Maximum number of bytes of a file.
  public static let maximumBytes = 4096
  /// Maximum number of files that are read.
  public static let maximumFiles = 64

  /// A file that is ignored.
  public struct Failure: Hashable, Sendable {
    /// The path of the file.
    public let path: String
    /// The reason.
    public let error: AppFileError

    /// Creates a failure.
    public init(path: String, error: AppFileError) {
      self.path = path
      self.error = error
    }
  }

  /// The apps, in the order of their identities.
  public private(set) var apps: [AppFile] = []
  /// The files that are ignored, in the order of their names.
  public private(set) var failures: [Failure] = []

  /// Reads all files with the suffix `.app`. A missing folder contains no files. Blocks until the medium has delivered
  /// the data.
  public init(folder: String = AppFile.standardFolder) {
    guard let reader = FolderReader(folder) else { return }
    var names: [String] = []
    while names.count < Self.maximumFiles, let name = reader.next() {
      if name.hasSuffix(".app") { names.append(name) }
    }
    for name in names.sorted() {
      let path = "\(folder)/\(name)"
      do throws(AppFileError) {
        guard let bytes = BoundedFile.read(path, atMost: Self.maximumBytes) else {
          throw .unreadable
        }
        apps.append(try AppFile(name: name, bytes: bytes))
      } catch {
        failures.append(Failure(path: path, error: error))
      }
    }
  }
}
