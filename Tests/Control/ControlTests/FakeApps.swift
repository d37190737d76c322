import Control
import EventLoop
import LibraryModel
import NowPlaying

/// Records the calls of apps.
final class FakeApps: ControlledApps {
  /// The refusal of all requests. If it is nil, requests are carried out.
  var refusal: Refusal?
  var welcome = SessionWelcome(language: "de", hasScreen: true, hasPlayed: true)
  /// The sessions that were opened, in this order.
  private(set) var sessions: [FakeSession] = []
  var volumes: [VolumeState] = []
  var choice = AppChoice.absent
  private(set) var chosen: [String] = []

  func choose(_ id: String, at now: MonotonicInstant) -> AppChoice {
    chosen.append(id)
    return choice
  }

  /// What was done, for the recordings of calls.
  var done: [String] { sessions.flatMap { session in session.calls.map { "\($0)" } } }

  func open(
    _ opening: SessionOpening, _ access: AppAccess, _ port: AppPort, at now: MonotonicInstant
  ) -> Result<(session: any ControlledSession, welcome: SessionWelcome), Refusal> {
    if let refusal { return .failure(refusal) }
    let session = FakeSession(opening, access, port) { [weak self] in self?.refusal }
    sessions.append(session)
    return .success((session, welcome))
  }
}

final class FakeSession: ControlledSession {
  enum Call: Equatable {
    case active(Bool)
    case publish(SessionPublication)
    case claim(ClaimReason)
    case answer(Int, CommandAnswer)
    case template(PublishedTemplate, screen: Int)
    case picture(ButtonPicture?, String)
    case artwork(Int, MetadataItem.DataType?)
    case sound(SoundFormat, Int)
    case mark(SoundMark, Int)
    case flush(Int, Int)
    case finish(Int, Int)
    case closeSound(Int)
    case end(SessionEnding)
  }

  let opening: SessionOpening
  let access: AppAccess
  let port: AppPort
  private(set) var calls: [Call] = []
  private let refusal: () -> Refusal?
  /// The unit's ends of the sockets and pipes.
  private var kept: [BusDescriptor] = []
  var ends: [Int32] { kept.map(\.number) }

  init(
    _ opening: SessionOpening, _ access: AppAccess, _ port: AppPort,
    _ refusal: @escaping () -> Refusal?
  ) {
    self.opening = opening
    self.access = access
    self.port = port
    self.refusal = refusal
  }

  private func record(_ call: Call) -> Refusal? {
    let refusal = refusal()
    if refusal == nil { calls.append(call) }
    return refusal
  }

  /// Makes a pair, keeps one end, and returns the other.
  private func pair() -> Result<BusDescriptor, Refusal> {
    guard let (own, other) = try? BusDescriptor.packetPair() else {
      return .failure(Refusal(.failed, "no socket"))
    }
    kept.append(own)
    return .success(other)
  }

  func setActive(_ isActive: Bool, at now: MonotonicInstant) -> DeactivationAnswer {
    record(.active(isActive)) == nil ? .done : .stillPlaying
  }
  func publish(_ publication: SessionPublication, at now: MonotonicInstant) -> Refusal? {
    record(.publish(publication))
  }
  func claim(_ reason: ClaimReason, at now: MonotonicInstant) -> PrimaryAnswer {
    record(.claim(reason)) == nil ? .granted : .refused([.noContent])
  }
  func answer(_ number: Int, _ answer: CommandAnswer, at now: MonotonicInstant) -> Refusal? {
    record(.answer(number, answer))
  }
  func setTemplate(
    _ template: PublishedTemplate, screen: Int, at now: MonotonicInstant
  ) -> Refusal? { record(.template(template, screen: screen)) }
  func setButtonPicture(
    _ picture: ButtonPicture?, named name: String, at now: MonotonicInstant
  ) -> Refusal? { record(.picture(picture, name)) }
  func giveArtwork(
    _ ticket: Int, _ picture: MetadataItem.DataType?, at now: MonotonicInstant
  ) -> Result<BusDescriptor?, Refusal> {
    if let refusal = record(.artwork(ticket, picture)) { return .failure(refusal) }
    return picture == nil ? .success(nil) : pair().map { $0 }
  }
  func openSound(
    _ format: SoundFormat, as stream: Int, at now: MonotonicInstant
  ) -> Result<(socket: BusDescriptor, format: SoundFormat), Refusal> {
    if let refusal = record(.sound(format, stream)) { return .failure(refusal) }
    return pair().map { ($0, format) }
  }
  func mark(_ mark: SoundMark, of stream: Int, at now: MonotonicInstant) -> Refusal? {
    record(.mark(mark, stream))
  }
  func flush(_ stream: Int, next frame: Int, at now: MonotonicInstant) -> Refusal? {
    record(.flush(stream, frame))
  }
  func finish(_ stream: Int, at frame: Int, at now: MonotonicInstant) -> Refusal? {
    record(.finish(stream, frame))
  }
  func closeSound(_ stream: Int, at now: MonotonicInstant) { _ = record(.closeSound(stream)) }
  func end(_ ending: SessionEnding, at now: MonotonicInstant) {
    calls.append(.end(ending))
  }
}
