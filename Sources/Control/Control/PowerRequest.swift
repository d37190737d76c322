internal import Glibc
package import NowPlaying
package import Reports

/// Requests a reboot or power-off without root rights: creates a file in a folder that the service manager watches
/// (`console-reboot.path`). The name of the file is the name of the action.
package struct PowerRequest: Sendable {
  /// The folder for the request.
  package let folder: String

  /// - Parameter folder: an existing folder. Only users who are permitted to request a reboot can write to it.
  package init(folder: String) { self.folder = folder }

  /// The request for the folder that the environment variable `AUTOHARP_POWER` names. Nil if the variable is not set:
  /// then this process does not run as a service of a head unit.
  package static var ofThisProcess: PowerRequest? {
    getenv("AUTOHARP_POWER").map { PowerRequest(folder: String(cString: $0)) }
  }

  /// Creates the file. Returns nil on success, otherwise the refusal.
  package func submit(_ action: PowerAction) -> Refusal? {
    let path = "\(folder)/\(action.rawValue)"
    let descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else {
      let message = String(cString: strerror(errno))
      return Refusal(.powerFailed, "\(path): \(message)")
    }
    close(descriptor)
    return nil
  }
}
