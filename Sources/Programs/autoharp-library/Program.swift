import Glibc
import LibraryDatabase
import NameKeys
import SQLite

/// Executes the command line. This function is not in main.swift, because closures in main.swift belong to the main
/// actor. Their run-time checks would link Dispatch into the program.
func runProgram() -> Int32 {
  let invocation: Invocation
  do {
    invocation = try parseCommandLine(Array(CommandLine.arguments.dropFirst()))
  } catch {
    reportError("\(error.message)\nTry 'autoharp-library --help'.")
    return 2
  }
  do {
    switch invocation {
    case .help: print(helpText, terminator: "")
    case .scan(let folders, let database): return try scan(folders, try folder(database))
    case .list(let request, let database):
      return try list(request, LibraryReader(try reader(try folder(database))))
    case .serve(let options):
      return try serve(options, in: try folder(options.database))
    case .find(let query, let database):
      return try find(query, LibraryReader(try reader(try folder(database))))
    }
  } catch let error as DatabaseError {
    reportError("the library cannot be used: \(error.message)")
    return 1
  } catch let error as FolderError {
    reportError(error.message)
    return 1
  } catch {
    reportError("\(error)")
    return 1
  }
  return 0
}

/// The articles, such as *The*, that `scan` ignores at the beginning of a name. As in `serve`, which can use the same
/// database, they are determined by the standard configuration files.
let articles = Articles(languages: languages([]))

struct FolderError: Error {
  let message: String
}

/// The folder of the database: the given folder, or the folder in the cache folder of the user.
private func folder(_ given: String?) throws(FolderError) -> String {
  if let given { return given }
  func variable(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }.flatMap { $0.hasPrefix("/") ? $0 : nil }
  }
  guard let cache = variable("XDG_CACHE_HOME") ?? variable("HOME").map({ $0 + "/.cache" }) else {
    throw FolderError(message: "the folder of the database is not known; use --database FOLDER")
  }
  return cache + "/autoharp/library"
}

private func reader(_ folder: String) throws -> Database {
  guard access(LibraryFile.path(in: folder), F_OK) == 0 else {
    throw FolderError(message: "there is no library in \(folder); use 'scan' first")
  }
  return try LibraryFile.reader(in: folder)
}

/// Creates a folder and its missing parent folders.
func makeFolder(_ path: String) throws(FolderError) {
  var made = path.hasPrefix("/") ? "" : "."
  for name in path.split(separator: "/") {
    made += "/" + name
    if mkdir(made, 0o755) != 0, errno != EEXIST {
      throw FolderError(message: "\(made) cannot be made: \(String(cString: strerror(errno)))")
    }
  }
}

/// Writes a message to the descriptor of standard error. Swift 6 does not permit access to the C variable `stderr`.
/// Errors are ignored.
func reportError(_ text: String) { writeError("autoharp-library: \(text)\n") }

func writeError(_ text: String) {
  let bytes = Array(text.utf8)
  _ = write(STDERR_FILENO, bytes, bytes.count)
}
