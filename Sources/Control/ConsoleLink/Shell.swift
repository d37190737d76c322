internal import Glibc

/// The shell for the command `shell`: the program in the environment variable `SHELL` if this program can be executed,
/// otherwise `/bin/sh`.
enum Shell {
  static var path: String {
    guard let named = getenv("SHELL").map({ String(cString: $0) }), named.hasPrefix("/"),
      access(named, X_OK) == 0
    else { return "/bin/sh" }
    return named
  }
}
