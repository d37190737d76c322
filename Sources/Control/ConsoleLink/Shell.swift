internal import Glibc

/// The shell for the command `shell`: `SHELL` if it is an executable file, else `/bin/sh`.
enum Shell {
  static var path: String {
    guard let named = getenv("SHELL").map({ String(cString: $0) }), named.hasPrefix("/"),
      access(named, X_OK) == 0
    else { return "/bin/sh" }
    return named
  }
}
