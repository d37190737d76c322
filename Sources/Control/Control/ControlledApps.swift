package import EventLoop
package import LibraryModel
package import NowPlaying
internal import Reports

/// The part of the unit that makes sources of programs. Control thread; no call blocks.
///
/// The server checks who calls, the numbers of sessions and streams, and the limits (``AppTable``). So an
/// implementation gets only calls of the program that owns the session.
package protocol ControlledApps: AnyObject {
  /// Opens a session. A session with the same identity has ended before this call.
  /// - Parameters:
  ///   - access: what the program is permitted to do.
  ///   - port: sends signals to the program.
  func open(
    _ opening: SessionOpening, _ access: AppAccess, _ port: AppPort, at now: MonotonicInstant
  ) -> Result<(session: any ControlledSession, welcome: SessionWelcome), Refusal>

  /// The apps that have a session, and those for which the unit waits, in the order of their names.
  var volumes: [VolumeState] { get }

  /// Called when a person has chosen an app. Its session becomes Now Playing if it can.
  /// - Parameter id: the identity of the session.
  func choose(_ id: String, at now: MonotonicInstant) -> AppChoice
}

/// What the choice of an app leads to.
package enum AppChoice: Equatable, Sendable {
  /// The app has no session.
  case absent
  /// The app is Now Playing, so that it gets the next command.
  case isPrimary
  /// The app cannot be Now Playing yet. It was told to play.
  case told
}

extension VolumeState {
  /// The identity of an app in the list of sources.
  package static func identity(ofApp id: String) -> String { "app:\(id)" }

  /// A program in the list of sources.
  /// - Parameter obstacle: why it cannot play now. Nil if it can.
  package init(app id: String, name: String, isOpen: Bool, obstacle: Refusal?) {
    let condition: VolumeReport.Condition =
      switch obstacle?.code {
      case _ where !isOpen: .absent
      case .sourceFailed?: .unreadable
      case nil: .ready
      default: .waiting
      }
    self.init(
      kind: .app,
      report: VolumeReport(identity: Self.identity(ofApp: id), label: name, condition: condition),
      path: nil)
    reason = obstacle?.sentence
    remedy = obstacle?.remedy
  }
}

/// A session of a program. Control thread; no call blocks. A method that returns a refusal returns nil if the request
/// was carried out.
package protocol ControlledSession: AnyObject {
  func setActive(_ isActive: Bool, at now: MonotonicInstant) -> DeactivationAnswer
  /// - Parameter publication: its streams belong to this session and are open. Its timestamp is not later than `now`.
  func publish(_ publication: SessionPublication, at now: MonotonicInstant) -> Refusal?
  func claim(_ reason: ClaimReason, at now: MonotonicInstant) -> PrimaryAnswer
  /// - Parameter number: the number that the program sends. It can be any number.
  func answer(_ number: Int, _ answer: CommandAnswer, at now: MonotonicInstant) -> Refusal?
  /// - Parameter screen: the number of the screen, or 0 for a change at another time. It can be any number.
  func setTemplate(
    _ template: PublishedTemplate, screen: Int, at now: MonotonicInstant
  ) -> Refusal?
  /// - Parameter picture: nil to remove the picture.
  func setButtonPicture(
    _ picture: ButtonPicture?, named name: String, at now: MonotonicInstant
  ) -> Refusal?
  /// - Parameter picture: the type of the picture that the program will write into the returned pipe. Nil if the
  ///   program has no picture; then the result is nil.
  func giveArtwork(
    _ ticket: Int, _ picture: MetadataItem.DataType?, at now: MonotonicInstant
  ) -> Result<BusDescriptor?, Refusal>

  /// Opens a stream.
  /// - Returns: the program's end of the socket, and the format that the unit reads from it.
  func openSound(
    _ format: SoundFormat, as stream: Int, at now: MonotonicInstant
  ) -> Result<(socket: BusDescriptor, format: SoundFormat), Refusal>
  func mark(_ mark: SoundMark, of stream: Int, at now: MonotonicInstant) -> Refusal?
  func flush(_ stream: Int, next frame: Int, at now: MonotonicInstant) -> Refusal?
  func finish(_ stream: Int, at frame: Int, at now: MonotonicInstant) -> Refusal?
  func closeSound(_ stream: Int, at now: MonotonicInstant)

  /// Called once, when the session ends. The streams end too.
  func end(_ ending: SessionEnding, at now: MonotonicInstant)
}

/// Why a session of a program ends.
package enum SessionEnding: Equatable, Sendable {
  /// The program has closed it. See ``MediaSession/end(notifyingOthers:at:)``.
  case closed(notifyingOthers: Bool)
  /// The program opens it again.
  case replaced
  /// The connection of the program has ended.
  case lost
}

/// Sends signals to the program that has opened a session. After the end of the session, nothing is sent.
package final class AppPort {
  /// The number of the session.
  package let session: Int
  private weak var client: ServedClient?

  init(_ session: Int, _ client: ServedClient) {
    self.session = session
    self.client = client
  }

  /// Ends the port.
  func close() { client = nil }

  /// - Parameter number: the number that the program passes back with its answer.
  package func send(_ request: CommandRequest, number: Int) {
    client?.emit(Session1.command, Numbered(session, Numbered<CommandRequest?>(number, request)))
  }

  package func send(_ instruction: SessionInstruction) {
    client?.emit(Session1.instruction, Numbered(session, AppInstruction(instruction)))
  }

  package func send(_ screen: ConnectedScreen) {
    client?.emit(Session1.screenConnected, Numbered(session, screen))
  }

  package func send(_ wanted: WantedArtwork) {
    client?.emit(Session1.artworkWanted, Numbered(session, wanted))
  }

  package func send(_ status: SessionStatus) {
    client?.emit(Session1.status, Numbered(session, status))
  }

  /// Sends the frame that is heard. It is not sent while other messages wait, because the program reads slowly.
  package func send(_ heard: HeardFrame) {
    guard let client, client.isReading else { return }
    client.emit(Sound1.heard, heard)
  }

  package func send(_ event: SoundEvent, of stream: Int) {
    client?.emit(Sound1.ran, Numbered(stream, event))
  }
}
