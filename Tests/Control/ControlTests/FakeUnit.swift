import Control
import EventLoop
import NowPlaying
import Reports
import SystemClock

/// A unit without hardware: a real ``NowPlayingCenter``, a scripted source, and invented facts.
final class FakeUnit: ControlledUnit {
  let center: NowPlayingCenter
  let source: ScriptedSource
  var isShellAllowed = true
  var others: [DiagnosisReport.Finding] = [.init("test.made-up", "made up", .good, "well")]
  var soundTrace: [TraceEntry] = []
  var standingNotice: UnitNotice?
  var untakenNotices: [UnitNotice] = []
  func takeNotices() -> [UnitNotice] {
    defer { untakenNotices = [] }
    return untakenNotices
  }
  var vehicle = VehicleState() { didSet { turns.request() } }
  var albumOfNow: AlbumReport?
  /// Names of the requests that were carried out.
  var done: [String] = []
  /// The refusal of all requests. If it is nil, requests are accepted.
  var refusal: Refusal?
  var log: [LogLine] = [
    LogLine(at: .milliseconds(1500), severity: .info, text: "autoharp starts"),
    LogLine(at: .seconds(2), severity: .warning, text: "no card: playing nowhere"),
  ]
  var factsLength = 1
  let turns: Turns
  let outbox: UnitOutbox
  var fakePhones: FakePhones?
  var phones: (any ControlledPhones)? { fakePhones }

  var fakeLibrary: FakeLibrary?
  var library: (any ControlledLibrary)? { fakeLibrary }

  let fakeQueue = FakeQueue()
  var queue: any ControlledQueue { fakeQueue }

  let fakeSettings: FakeSettings
  var driverSettings: any ControlledSettings { fakeSettings }
  func setParked(_ isParked: Bool?) -> Refusal? {
    if refusal == nil { vehicle.isParked = isParked }
    return refusal
  }

  var fakeApps: FakeApps? = FakeApps()
  var apps: (any ControlledApps)? { fakeApps }

  let fakePlaylists = FakePlaylists()
  var playlists: any ControlledPlaylists { fakePlaylists }

  init(
    _ turns: Turns = Turns(EventLoop()),
    clock: @escaping () -> MonotonicInstant = MonotonicInstant.now
  ) {
    self.turns = turns
    center = NowPlayingCenter(
      volume: Volume(level: VolumeLevel(thousandths: 400)),
      didPublish: { [turns] in turns.request() })
    outbox = UnitOutbox(turns)
    fakePhones = FakePhones(turns)
    fakeLibrary = FakeLibrary(turns)
    fakeSettings = FakeSettings(turns)
    source = ScriptedSource(in: center, clock: clock)
    center.add(listOwner: fakeQueue)
  }

  func findings(completion: @escaping ([DiagnosisReport.Finding]) -> Void) { completion(others) }

  func report(_ topic: FactsTopic) -> FactsReport {
    let facts = (0..<factsLength).map {
      FactsReport.Fact("topic \($0)", topic.rawValue, $0 == 0 ? .good : .plain)
    }
    return FactsReport([
      .init("Made up", facts),
      .init("", [.init(FactsReport.lastEndLabel, "watchdog", .note)]),
    ])
  }

  func facts(_ topic: FactsTopic, completion: @escaping (FactsReport) -> Void) {
    completion(report(topic))
  }

  func latency() -> LatencyTable {
    var table = LatencyTable()
    table.add(.milliseconds(3), .accepted, surface: "console", command: "next")
    table.add(.milliseconds(40), .heard, surface: "console", command: "next")
    return table
  }

  private func perform(_ request: String) -> Refusal? {
    if refusal == nil { done.append(request) }
    return refusal
  }

  func playChime() -> Refusal? { perform("chime") }

  func testSound() -> Refusal? { perform("test sound") }
  func endSafeMode() -> Refusal? { perform("end safe mode") }
  func begin(_ hold: SoundHold, for time: Duration?, outlives: Bool) -> Refusal? {
    let limit = time.map { " for \($0 / .seconds(1))" } ?? ""
    let outliving = outlives ? " outliving" : ""
    return perform("begin\(hold.isDuck ? " duck" : "") \(hold.name)\(limit)\(outliving)")
  }
  func end(_ hold: SoundHold, shouldResume: Bool) -> Refusal? {
    perform("end\(hold.isDuck ? " duck" : "") \(hold.name)\(shouldResume ? "" : " paused")")
  }
  func power(_ action: PowerAction) -> Refusal? { perform(action.rawValue) }
  func erasePersonalData(completion: @escaping (Refusal?) -> Void) {
    completion(perform("erase"))
  }
  func album() -> AlbumReport? { albumOfNow }
  func recentLog(limit: Int) -> [LogLine] { Array(log.suffix(limit)) }

  /// Adds a line to the log.
  func addLogLine(_ text: String) {
    let line = LogLine(at: .seconds(3), severity: .notice, text: text)
    log.append(line)
    outbox.put(.line(line))
  }
}
