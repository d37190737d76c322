internal import Control
internal import EventLoop
internal import NowPlaying
internal import Reports
internal import Settings
internal import SystemClock

/// Serves the control socket. If the socket cannot be opened, tries again; playback does not depend on the socket.
/// Knows the unit only as ``ControlledUnit``.
///
/// Used on the control thread. No function blocks.
final class ControlSocket {
  /// The time between two attempts to open the socket.
  private static let pause = Duration.milliseconds(500)

  private let loop: EventLoop
  private let control: any ControlledUnit
  private let turns: Turns
  private let path: String
  private let lock: SocketLock?
  private let log: UnitLog
  private var server: ControlServer?
  private var failure: String?
  private var timer: TimerSource?

  /// - Parameter lock: the lock of the path. Nil if the lock could not be taken. Then ``open()`` tries to take it.
  init(
    _ loop: EventLoop, _ control: any ControlledUnit, path: String, lock: SocketLock?,
    _ turns: Turns, log: UnitLog
  ) {
    self.loop = loop
    self.control = control
    self.path = path
    self.lock = lock
    self.turns = turns
    self.log = log
    timer = TimerSource(loop, clock: .monotonic) { [weak self] in self?.open() }
  }

  /// Opens the socket.
  func open() {
    do {
      server = try ControlServer(
        loop, control, turns, path: path, lock: lock, access: .ofThisSystem(apps: apps()),
        events: { [log] in log.note($0) })
      if failure != nil { log(.controlListening, "listens at \(path)", at: .now()) }
      failure = nil
    } catch {
      let new = "\(path): \(error)"
      if new != failure { log(.controlFailed, new, at: .now()) }
      failure = new
      timer?.set(after: Self.pause)
    }
  }

  /// The programs that can be sources, according to the files of the image. The files are few and small. A file whose
  /// user does not exist permits nothing.
  private func apps() -> [AppAccess] {
    let files = AppFiles()
    for failure in files.failures {
      log(.configurationWrong, "\(failure.path): \(failure.error); ignored", at: .now())
    }
    return files.apps.compactMap { app in
      AccessRule.user(app.user).map {
        AppAccess(
          id: app.id, user: $0, name: app.name, picture: picture(of: app), mayPrompt: app.prompts,
          mayClaimForPerson: app.person)
      }
    }
  }

  private func picture(of app: AppFile) -> ButtonPicture? {
    guard let path = app.picture else { return nil }
    let picture = ButtonPictureFiles.picture(path)
    if picture == nil {
      log(
        .pictureUnusable,
        "\(app.id).app: \(path) is not a PNG file of at most \(ButtonPicture.limit >> 10) KiB",
        at: .now())
    }
    return picture
  }

  /// Sends changes to the clients. While the socket is not open, messages for clients are dropped. Call this in each
  /// turn.
  func update() {
    if let server { server.update() } else { _ = control.outbox.take() }
  }

  /// Removes the socket. If the socket stayed, a daemon of another user could not connect to it, and would assume that
  /// the socket is in use.
  func close() {
    timer?.stop()
    server = nil
  }
}

extension UnitLog {
  /// Logs what has happened to a client of the control socket. The log limits the number of lines with the same reason.
  /// This reason does not contain the user and the process of the client, so that there are only few different reasons.
  fileprivate func note(_ event: ControlServer.Event) {
    switch event {
    case .refused(let refusal):
      let reason = if case .tooManyPeers = refusal { "peers" } else { "system" }
      limited(
        .clientRefused, "\(refusal)", reason: reason, interval: Self.clientInterval, at: .now())
    case .dropped(let peer, let ending):
      limited(
        .clientDropped, "\(peer?.description ?? "a client") was disconnected: \(ending)",
        reason: "\(ending)", interval: Self.clientInterval, at: .now())
    }
  }
}
