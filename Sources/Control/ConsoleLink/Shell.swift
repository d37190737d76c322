internal import Glibc

/// Which shell `shell` gives: the user's own where it is named, else the one that every system has.
enum Shell {
  static var path: String {
    guard let named = getenv("SHELL").map({ String(cString: $0) }), named.hasPrefix("/"),
      access(named, X_OK) == 0
    else { return "/bin/sh" }
    return named
  }
}
