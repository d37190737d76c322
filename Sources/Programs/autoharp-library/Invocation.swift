/// The parsed command line.
enum Invocation: Equatable {
  case help
  /// Reads the music in folders into the database.
  case scan([String], database: String?)
  /// Prints the rows or the headings of a list of the library.
  case list(ListRequest, database: String?)
  /// Prints the results of a search.
  case find(Query, database: String?)
  /// Scans, and answers requests of the daemon, until the daemon ends.
  case serve(ServeOptions)

  struct ListRequest: Equatable {
    /// The text of a ``LibraryNode``.
    var node = "artists"
    var heading: String?
    var cursor: String?
    var rows = 24
    /// True to print the headings and not the rows.
    var isLetters = false
  }

  struct ServeOptions: Equatable {
    /// The path of the daemon's socket. Nil to use the connection that the service manager passes to this process.
    var socket: String?
    var database: String?
    /// A folder in a memory file system (``LibraryFolders/runtime``). Nil to use the folder of the database.
    var runtime: String?
    /// If empty, the standard files are used.
    var configurationFiles: [String] = []
    /// True to lower the priority of the process.
    var isInBackground = false
  }

  enum Query: Equatable {
    case text(String)
    case keys(String)
  }
}

struct UsageError: Error, Equatable {
  let message: String
}

/// Parses the arguments, without the name of the program.
func parseCommandLine(_ arguments: [String]) throws(UsageError) -> Invocation {
  var parser = ArgumentParser(rest: arguments[...])
  guard let command = parser.rest.popFirst() else {
    throw UsageError(message: "a command is missing")
  }
  if command == "--help" || command == "-h" { return .help }
  switch command {
  case "scan":
    let words = try parser.words([])
    guard !words.isEmpty else { throw UsageError(message: "scan needs a folder") }
    return .scan(words, database: parser.database)
  case "list":
    let words = try parser.words(["--under", "--from", "--rows", "--letters"])
    guard words.count <= 1 else { throw UsageError(message: "list takes one list") }
    if let node = words.first { parser.list.node = node }
    return .list(parser.list, database: parser.database)
  case "find":
    let words = try parser.words(["--keys"])
    if let keys = parser.keys, words.isEmpty {
      return .find(.keys(keys), database: parser.database)
    }
    guard parser.keys == nil, !words.isEmpty else {
      throw UsageError(message: "find needs either words or --keys")
    }
    return .find(.text(words.joined(separator: " ")), database: parser.database)
  case "serve":
    let words = try parser.words(["--socket", "--runtime", "--config", "--background"])
    guard words.isEmpty else { throw UsageError(message: "serve takes only options") }
    parser.serve.database = parser.database
    return .serve(parser.serve)
  default:
    throw UsageError(message: "unknown command '\(command)'")
  }
}

private struct ArgumentParser {
  var rest: ArraySlice<String>
  var database: String?
  var list = Invocation.ListRequest()
  var keys: String?
  var serve = Invocation.ServeOptions()

  /// Parses all remaining arguments. Returns the arguments that are not options.
  mutating func words(_ options: Set<String>) throws(UsageError) -> [String] {
    var words: [String] = []
    while let argument = rest.popFirst() {
      guard argument.hasPrefix("--") else {
        words.append(argument)
        continue
      }
      guard argument == "--database" || options.contains(argument) else {
        throw UsageError(message: "unknown option '\(argument)'")
      }
      if argument == "--letters" {
        list.isLetters = true
        continue
      }
      if argument == "--background" {
        serve.isInBackground = true
        continue
      }
      guard let value = rest.popFirst() else {
        throw UsageError(message: "\(argument) needs a value")
      }
      switch argument {
      case "--database": database = value
      case "--under": list.heading = value
      case "--from": list.cursor = value
      case "--keys": keys = value
      case "--socket": serve.socket = value
      case "--runtime": serve.runtime = value
      case "--config": serve.configurationFiles.append(value)
      default:
        guard let rows = Int(value), (1...100).contains(rows) else {
          throw UsageError(message: "--rows takes a number from 1 to 100")
        }
        list.rows = rows
      }
    }
    return words
  }
}
