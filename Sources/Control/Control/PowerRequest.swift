internal import Glibc
package import NowPlaying
package import Reports

/// How somebody who is not root asks for a reboot: a file of that name in a folder that the service
/// manager looks into (`console-reboot.path`).
package struct PowerRequest: Sendable {
  /// Where the request is left.
  package let folder: String

  /// - Parameter folder: it is there, and only those who may ask for it can write into it.
  package init(folder: String) { self.folder = folder }

  /// The folder that this process was given in `AUTOHARP_POWER`; nil where it is no service of a unit.
  package static var ofThisProcess: PowerRequest? {
    getenv("AUTOHARP_POWER").map { PowerRequest(folder: String(cString: $0)) }
  }

  /// Leaves the request. Nil where this succeeds.
  package func leave(_ action: PowerAction) -> Refusal? {
    let path = "\(folder)/\(action.rawValue)"
    let descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else {
      let words = String(cString: strerror(errno))
      return Refusal(.powerFailed, "\(path): \(words)")
    }
    close(descriptor)
    return nil
  }
}
