import AudioCodecs
import AudioEngine
import HeadUnit
import Input
import LibraryModel
import MusicFiles
import NowPlaying
import Reports
import TestKit
import Testing

@testable import Daemon
@testable import Settings

/// An invented unit with two folders of music. A test changes the unit and then makes a snapshot of it.
struct GeneratedUnit {
  var run = UnitSnapshot.Run(began: MonotonicInstant(awake: .seconds(40)))
  var music = UnitSnapshot.Music()
  var sound = UnitSnapshot.Sound()
  var storage = UnitSnapshot.Storage()
  var screen = UnitSnapshot.Screen.none
  var repeatsOne = false
  var lacksAdapter = false
  var knownPhones = 0
  var library: LibraryHealth?
  var stuckKeys: [InputReport.StuckKey] = []
  var lostPointers: Set<String> = []
  var lostKeys: Set<String> = []
  let machine = MachineSnapshot()
  var configuration = Configuration(
    [], checks: SettingChecks(output: { _ in nil }, amplifier: { _ in nil }))

  init() {
    machine.folders = ["/data/music", "/media"].map { ($0, .present) }
    music.count = 7
    storage.stateFolder = "/data/autoharp"
    machine.kernelReadings = KernelReadings()
    machine.stateSpace = FileSystemSpace(free: 50 << 20, size: 100 << 20)
  }

  var snapshot: UnitSnapshot {
    UnitSnapshot(
      now: MonotonicInstant(awake: .seconds(100)), run: run, surfaces: [], screen: screen,
      repeatsOne: repeatsOne, lacksAdapter: lacksAdapter, knownPhones: knownPhones, music: music,
      sound: sound, storage: storage, library: library, stuckKeys: stuckKeys,
      lostPointers: lostPointers, lostKeys: lostKeys, configuration: configuration,
      machine: machine)
  }

  var facts: UnitFacts { UnitFacts(snapshot) }

  func grades(_ subject: String) -> [Grade] {
    UnitChecks(snapshot).all.filter { $0.subject == subject }.map(\.grade)
  }
}

/// Facts and checks are computed from the same snapshot.
@Suite struct UnitSnapshotTests {
  private func fact(_ section: FactsReport.Section, _ label: String) -> FactsReport.Fact? {
    section.facts.first { $0.label == label }
  }

  @Test func healthyUnit_hasNoBadFinding() {
    let findings = UnitChecks(GeneratedUnit().snapshot).all
    #expect(findings.filter { $0.grade == .bad }.isEmpty)
    #expect(
      Set(findings.map(\.subject)).isSuperset(of: [
        "folders", "music", "output", "volume", "state", "storage", "config", "last end",
      ]))
  }

  @Test func library_thatEndsAgainAndAgain_isABadFindingWithTheFile() {
    var unit = GeneratedUnit()
    func codes() -> [String] { UnitChecks(unit.snapshot).library.map(\.code) }
    #expect(codes() == ["library.none"])
    var health = LibraryHealth()
    unit.library = health
    // The unit has run for a minute, so the library should be available.
    #expect(UnitChecks(unit.snapshot).library.map(\.grade) == [.bad])
    #expect(codes() == ["library.unavailable"])
    health.isAvailable = true
    unit.library = health
    #expect(codes() == ["library.answers"])
    var report = LibraryReport()
    report.harmfulFiles = [
      HarmfulFileReport(volume: "id", path: "/a.m3u", isExcluded: true),
      HarmfulFileReport(volume: "id", path: "/b.m3u", isExcluded: false),
    ]
    health.apply(report) { _ in "/media/x" }
    health.apply(nil) { _ in "" }
    // The first end of the process is more than ten minutes ago, so it does not count.
    for second in [-510, 90, 95] {
      health.noteEnd(at: MonotonicInstant(awake: .seconds(second)))
    }
    unit.library = health
    #expect(codes() == ["library.excluded"])
    health.noteEnd(at: MonotonicInstant(awake: .seconds(99)))
    unit.library = health
    #expect(codes() == ["library.restarts", "library.excluded"])
    let found = UnitChecks(unit.snapshot).library
    #expect(found[0].grade == .bad && found[0].found.contains("/media/x/b.m3u"))
    #expect(found[1].grade == .note && found[1].found.hasSuffix("/media/x/a.m3u"))
    // Of two wrong answers, one is more than ten minutes ago. So only one counts.
    for second in [-510, 98] { health.noteFault(at: MonotonicInstant(awake: .seconds(second))) }
    unit.library = health
    #expect(codes() == ["library.restarts", "library.wrong", "library.excluded"])
    #expect(UnitChecks(unit.snapshot).library[1].found.hasPrefix("1 "))
  }

  @Test(arguments: Settings.Sound.allCases)
  func missingCard_isTheFaultOfTheSetting_ifItAsksForAKind(_ asked: Settings.Sound) {
    var unit = GeneratedUnit()
    unit.configuration.settings.sound = asked
    unit.sound.history.lost(SinkError("no card", isAbsent: true))
    let code = asked == .auto ? "output.absent" : "output.card-absent"
    #expect(UnitChecks(unit.snapshot).output.map(\.code) == [code])
    // The key 'output' has its default, so a person cannot remove it.
    let finding = UnitChecks(unit.snapshot).output[0]
    #expect(finding.remedy?.contains("'output'") == false)
    unit.sound.cards = [.init(kind: "usb", pcm: "hw:CARD=Device,DEV=0")]
    #expect(
      UnitChecks(unit.snapshot).output[0].found.contains("hw:CARD=Device,DEV=0") == (asked == .auto)
    )
    // A named output has priority over the kind of the card.
    unit.configuration.settings.output = "hw:0,0"
    #expect(UnitChecks(unit.snapshot).output.map(\.code) == ["output.absent"])
  }

  @Test func chosenCard_isShownWithItsKind() {
    var unit = GeneratedUnit()
    unit.sound.history.configuredOutput = "default"
    #expect(fact(unit.facts.sound, "output")?.value == "default")
    unit.sound.history.card = .init(kind: "usb", pcm: "hw:CARD=Device,DEV=0")
    #expect(fact(unit.facts.sound, "output")?.value == "hw:CARD=Device,DEV=0 (usb)")
  }

  @Test func soundCards_areListedWithTheirKinds() {
    var unit = GeneratedUnit()
    #expect(fact(unit.facts.sound, "cards")?.value == "none")
    unit.sound.cards = [
      .init(kind: "usb", pcm: "hw:CARD=Device,DEV=0"), .init(kind: "", pcm: "hw:CARD=PCH,DEV=0"),
    ]
    let listed = "hw:CARD=Device,DEV=0 (usb), hw:CARD=PCH,DEV=0"
    #expect(fact(unit.facts.sound, "cards")?.value == listed)
  }

  @Test func missingFolders_areBad_onlyIfAllAreMissing() {
    let unit = GeneratedUnit()
    unit.machine.folders[0].state = .missing
    #expect(unit.grades("folders") == [.note])
    #expect(fact(unit.facts.music, "/data/music")?.grade == .note)
    unit.machine.folders[1].state = .missing
    #expect(unit.grades("folders") == [.bad])
    unit.machine.folders = []
    #expect(unit.grades("folders") == [.bad])
  }

  @Test func folder_withoutAnswer_isBadInFactsAndFindings() {
    let unit = GeneratedUnit()
    unit.machine.folders[1].state = .silent
    #expect(unit.grades("folders") == [.bad])
    #expect(fact(unit.facts.music, "/media")?.grade == .bad)
  }

  @Test func fileThatFailedDuringPlayback_isNotCountedAsPlayable() {
    var unit = GeneratedUnit()
    unit.music.count = 1
    unit.music.broken = UnplayableFiles([UnplayableFile(path: "/media/a.flac", reason: "is cut")])
    #expect(unit.grades("music") == [.bad])
    unit.music.count = 2
    #expect(unit.grades("music") == [.note])
  }

  @Test func cutTags_areCountedByStorage() {
    var unit = GeneratedUnit()
    #expect(fact(unit.facts.music, "long tags") == nil)
    unit.music.cutTagValues = 3
    #expect(fact(unit.facts.music, "long tags")?.value.hasPrefix("3 ") == true)
  }

  @Test func unplayableFiles_areCounted_andOnlyTheFirstAreStored() {
    var files = UnplayableFiles()
    for index in 0..<1500 { files.add(UnplayableFile(path: "\(index)", reason: "is cut")) }
    #expect(files.count == 1500 && files.stored.count == UnplayableFiles.limit)
    #expect(files.first?.path == "0")
    files.add(files)
    #expect(files.count == 3000 && files.stored.count == UnplayableFiles.limit)
    files.removeAll { $0.path == "0" }
    #expect(files.count == 2999 && !files.contains("0") && files.contains("1"))
  }

  @Test func volumes_areRowsOfStorage_withTheirNumbers() {
    func volume(_ path: String, _ name: String, isStick: Bool) -> MusicVolume {
      MusicVolume(path: path, mount: "1", name: name, isStick: isStick)
    }
    let all = [
      volume("/data/music", "music", isStick: false), volume("/media/sda1", "sda1", isStick: true),
      volume("/media/sdb1", "MY STICK", isStick: true), volume("/media/sdc1", "C", isStick: true),
    ]
    var good = VolumeCount()
    good.addPlayable()
    var mixed = good
    for _ in 0..<5 { mixed.add(.format(.wma)) }
    mixed.add(.empty)
    mixed.add(.format(.text))
    mixed.add(.folder)
    var unit = GeneratedUnit()
    unit.machine.folders = []
    unit.music.volumes.apply(
      ["/data/music": good, "/media/sda1": good, "/media/sdb1": mixed], of: all, present: all)
    let rows = unit.facts.music.facts.filter { $0.label.hasPrefix("/") }
    #expect(
      rows == [
        .init("/media/sda1", "1 file", .good),
        .init(
          "/media/sdb1", "MY STICK: 1 file; 7 cannot be played: 5 WMA, 1 empty, 1 text", .note),
        .init("/media/sdc1", "C: 0 files", .bad),
      ])
    unit.music.unplayable = UnplayableFiles([UnplayableFile(path: "/media/sdb1/a", reason: "")])
    let label = "cannot be played"
    #expect(fact(unit.facts.music, label)?.value == "1: WMA is not supported")
    #expect(fact(unit.facts.summary, label)?.value == "1: WMA is not supported")
  }

  @Test func xruns_areInFactsAndFindings() {
    var unit = GeneratedUnit()
    #expect(unit.grades("ran dry").isEmpty)
    unit.sound.xruns = 3
    #expect(unit.grades("ran dry") == [.note])
    #expect(fact(unit.facts.sound, "ran dry")?.grade == .note)
  }

  @Test func stalledOutput_isBadInFactsAndFindings() {
    var unit = GeneratedUnit()
    unit.sound.isStalled = true
    #expect(unit.grades("output") == [.bad])
    #expect(fact(unit.facts.sound, "device")?.grade == .bad)
  }

  @Test func volume_mutedOrZero_isBad() {
    var unit = GeneratedUnit()
    unit.sound.volume = Volume(level: VolumeLevel(step: 30, of: 100), isMuted: true)
    #expect(unit.grades("volume") == [.bad])
    unit.sound.volume = Volume(level: VolumeLevel(step: 0, of: 100))
    #expect(unit.grades("volume") == [.bad])
  }

  private func remark(_ unit: GeneratedUnit) -> String? {
    let report = DiagnosisReport(checks: [], paths: [], others: UnitChecks(unit.snapshot).all)
    #expect(report.isWell)
    return report.foremostRemark?.code
  }

  @Test func volume_thatIsHardlyHeard_isARemark() {
    var unit = GeneratedUnit()
    #expect(remark(unit) == nil)
    for (step, code) in [(1, "volume.low"), (3, "volume.low"), (4, nil)] {
      unit.sound.volume = Volume(level: VolumeLevel(step: step, of: 100))
      #expect(remark(unit) == code)
    }
  }

  @Test func sound_thatAClientSilencesOrLowers_isARemark() {
    var unit = GeneratedUnit()
    unit.sound.holds = [.init(hold: .duck("navigation"), left: nil)]
    #expect(remark(unit) == "sound.lowered")
    unit.sound.holds = [.init(hold: .interruption(.call), left: .seconds(1740))]
    #expect(remark(unit) == "sound.interrupted")
    let finding = UnitChecks(unit.snapshot).holds[0]
    #expect(finding.found.contains("call") && finding.found.contains("29:00"))
    #expect(finding.remedy?.contains("interrupt end call") == true)
  }

  @Test func outputRate_thatTheCardDoesNotPlay_isARemark() {
    var unit = GeneratedUnit()
    let device = DeviceFormat(
      sampleRate: 96000, layout: .stereo, samples: .s32, periodFrames: 480, bufferFrames: 960)
    unit.sound.history.opened(device, nil)
    #expect(remark(unit) == nil)
    unit.configuration.settings.outputRate = 384_000
    #expect(remark(unit) == "output.other-rate")
  }

  @Test func state_inMemory_isNotSaved() {
    var unit = GeneratedUnit()
    func codes() -> [String] {
      UnitChecks(unit.snapshot).all.map(\.code).filter { $0.hasPrefix("state.") }
    }
    #expect(codes() == ["state.saved"])
    unit.storage.notices = StorageNotice.all(in: "data.memory.no-partition There is no partition.")
    #expect(codes() == ["state.in-memory"])
  }

  @Test func key_thatIsHeldTooLong_isBad() {
    var unit = GeneratedUnit()
    #expect(unit.grades("keys") == [.good])
    unit.stuckKeys = [
      .init(code: .key(163), device: "Wheel", since: MonotonicInstant(awake: .seconds(10)))
    ]
    #expect(unit.grades("keys") == [.bad])
  }

  @Test func volume_thatTheOutputDoesNotApply_isBad() {
    var unit = GeneratedUnit()
    func codes(_ gains: [(Float, Float)]) -> [String] {
      unit.sound.readings = gains.map {
        SoundReading(
          at: MonotonicInstant(awake: .seconds(90)), publishedAt: MonotonicInstant(awake: .zero),
          gain: .init(published: $0.0, applied: $0.1))
      }
      return UnitChecks(unit.snapshot).volume.map(\.code)
    }
    #expect(codes([(0.5, 0.5), (0.5, 0.5)]) == ["volume.level"])
    #expect(codes([(0.5, 0.501), (0.5, 0.501)]) == ["volume.level"])
    #expect(codes([(0.5, 0), (0.5, 0)]) == ["volume.unheard"])
    #expect(codes([(0.5, 1), (0.5, 1)]) == ["volume.unheard"])
    // The volume changed just before the first reading, and is applied at the second reading. This is not a fault.
    #expect(codes([(0.5, 1), (0.5, 0.5)]) == ["volume.level"])
    // The car (for example the reverse gear) has muted the sound, so a gain of 0 is published and applied.
    #expect(codes([(0, 0), (0, 0)]) == ["volume.level"])
    unit.sound.volume.apply(.toggleMuted)
    #expect(codes([(0, 0), (0, 0)]) == ["volume.muted"])
    #expect(codes([(0, 0.5), (0, 0.5)]) == ["volume.unheard"])
  }

  /// Two readings that are 200 ms apart.
  private func readings(
    _ status: PlaybackStatus, published: (Int, Int), heard: (Int, Int), age: Int = 5
  ) -> [SoundReading] {
    [(90_000, published.0, heard.0), (90_200, published.1, heard.1)].map { at, published, heard in
      SoundReading(
        at: MonotonicInstant(awake: .milliseconds(at)),
        publishedAt: MonotonicInstant(awake: .seconds(90 - age)),
        position: .init(
          status: status, published: .milliseconds(published), heard: .milliseconds(heard)))
    }
  }

  @Test func position_thatIsNotHeard_isBad() {
    var unit = GeneratedUnit()
    func codes(_ readings: [SoundReading]) -> [String] {
      unit.sound.readings = readings
      let findings = UnitChecks(unit.snapshot).position
      #expect(findings.allSatisfy { $0.grade != .bad || $0.remedy != nil })
      return findings.map(\.code)
    }
    let (good, bad) = (["sound.position"], ["sound.position-differs"])
    #expect(codes(readings(.playing, published: (5000, 5200), heard: (4900, 5100))) == good)
    #expect(codes(readings(.playing, published: (5000, 5200), heard: (2500, 2700))) == bad)
    #expect(codes(readings(.playing, published: (5000, 5200), heard: (7500, 7700))) == bad)
    #expect(codes(readings(.playing, published: (5000, 5200), heard: (5000, 5000))) == bad)
    for status in [PlaybackStatus.paused, .interrupted] {
      #expect(codes(readings(status, published: (5000, 5000), heard: (5000, 5000))) == good)
      #expect(codes(readings(status, published: (5000, 5000), heard: (5000, 5200))) == bad)
    }
    // Just after a publication, the output still plays the previous sound, so nothing is checked.
    #expect(codes(readings(.paused, published: (5000, 5000), heard: (5000, 5200), age: 2)) == [])
    var changed = readings(.playing, published: (5000, 5200), heard: (5000, 5000))
    changed[1].revision += 1
    #expect(codes(changed) == [])
    var starved = readings(.playing, published: (5000, 5200), heard: (5000, 5000))
    starved[1].starvedFrames += 1
    #expect(codes(starved) == [])
    unit.sound.isStalled = true
    #expect(codes(readings(.playing, published: (5000, 5200), heard: (5000, 5000))) == [])
  }

  @Test func amplifierThatIsMutedWhileSoundIsWanted_isBad() {
    var unit = GeneratedUnit()
    func codes(
      _ reading: AmplifierReading?, _ isWanted: [Bool], age: Int = 5
    ) -> [String] {
      unit.sound.amplifier = reading
      unit.sound.readings = readings(
        .playing, published: (5000, 5200), heard: (5000, 5200), age: age)
      for (index, isWanted) in isWanted.enumerated() {
        unit.sound.readings[index].isWanted = isWanted
      }
      let findings = UnitChecks(unit.snapshot).amplifier
      #expect(findings.allSatisfy { ($0.grade == .bad) == ($0.remedy != nil) })
      return findings.map(\.code)
    }
    let (good, bad) = (["amplifier.switch"], ["amplifier.muted"])
    #expect(codes(nil, [true, true]) == [])
    #expect(codes(.on, [true, true]) == good)
    #expect(codes(.muted, [true, true]) == bad)
    #expect(codes(.muted, [false, false]) == good)
    // Sound began or ended between the readings, or shortly before them, so the muted amplifier is not a fault.
    #expect(codes(.muted, [true, false]) == good)
    #expect(codes(.muted, [false, true]) == good)
    #expect(codes(.muted, [true, true], age: 2) == good)
    unit.sound.isStalled = true
    #expect(codes(.muted, [true, true]) == good)
    #expect(codes(.unreadable("no card"), [false, false]) == ["amplifier.unreadable"])
  }

  @Test func coverThatCannotBeRead_isBad() {
    let unit = GeneratedUnit()
    #expect(UnitChecks(unit.snapshot).artwork.map(\.code) == ["artwork.none"])
    unit.machine.picture = ("/data/art/x.jpeg", true)
    #expect(UnitChecks(unit.snapshot).artwork.map(\.code) == ["artwork.readable"])
    unit.machine.picture = ("/data/art/x.jpeg", false)
    let findings = UnitChecks(unit.snapshot).artwork
    #expect(findings.map(\.code) == ["artwork.unreadable"] && findings[0].remedy != nil)
  }

  @Test func readingOfAFile_saysWhetherItCanBeRead() throws {
    let folder = try TemporaryFolder()
    try folder.write("full", [1])
    try folder.write("empty", [])
    func isReadable(_ name: String) -> Bool { StorageReader.reading(folder.path(name)).isReadable }
    #expect(isReadable("full") && isReadable("") && !isReadable("empty") && !isReadable("absent"))
  }

  @Test func storage_fullOrReadOnly_isBad_andWithoutAnswerHasNoFinding() {
    let unit = GeneratedUnit()
    unit.machine.stateSpace = FileSystemSpace(free: (1 << 20) - 1, size: 1 << 30)
    #expect(unit.grades("storage") == [.bad])
    unit.machine.stateSpace = FileSystemSpace(free: 1 << 20, size: 1 << 30)
    #expect(unit.grades("storage") == [.good])
    unit.machine.stateSpace?.isReadOnly = true
    #expect(unit.grades("storage") == [.bad])
    unit.machine.stateSpace = nil
    #expect(unit.grades("storage").isEmpty)
  }

  @Test func fileSystem_withoutAnswer_isBad() {
    let unit = GeneratedUnit()
    unit.machine.fileSystems = [
      .init(point: "/", kind: "squashfs", space: FileSystemSpace(free: 0, size: 3 << 20)),
      .init(point: "/media", kind: "vfat", space: nil),
    ]
    let rows = unit.facts.fileSystems[0].facts
    #expect(rows.map(\.label) == ["/", "/media"])
    #expect(rows.map(\.grade) == [.plain, .bad])
  }

  @Test func run_isMeasuredAtTheTimeOfTheSnapshot() {
    let unit = GeneratedUnit()
    unit.machine.memory = nil
    #expect(fact(unit.facts.unit, "runs for")?.value == "daemon: 1 min 0 s; machine: 1 min 40 s")
  }

  @Test func refusedRealTime_isBadForAServiceOnly() {
    var unit = GeneratedUnit()
    unit.sound.history.refused = "real-time priority"
    #expect(unit.grades("real time") == [.note])
    unit.machine.isService = true
    #expect(unit.grades("real time") == [.bad])
  }
}
