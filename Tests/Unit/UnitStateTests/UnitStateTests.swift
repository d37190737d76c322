import Testing

@testable import UnitState

@Suite struct UnitStateTests {
  private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

  private var full: UnitState {
    var state = UnitState()
    state.file = FileLocation(
      path: bytes("/media/stick/A/\u{fc}.flac") + [0xFF], folderBytes: 6,
      stick: ("vfat 1234-ABCD 67108864", 12))
    state.queue = .init(number: 1 << 40 | 3, entry: .test(70_000))
    state.preceding = FileLocation(
      path: bytes("/media/stick/B/\u{fc}.flac"), folderBytes: 6,
      stick: ("vfat 1234-ABCD 67108864", 12))
    state.elapsed = .test(123_456)
    state.wasPlaying = true
    state.repeatMode = .all
    state.shuffleMode = .items
    state.volume = 425
    state.isMuted = true
    state.phones = ["AA:BB:CC:DD:EE:FF", "AA:BB:CC:DD:EE:00"]
    state.controllers = ["AA:BB:CC:DD:EE:00"]
    state.firstChoice = "AA:BB:CC:DD:EE:FF"
    state.unconfirmed = ["AA:BB:CC:DD:EE:01", "AA:BB:CC:DD:EE:02"]
    state.phoneSource = .init(address: "AA:BB:CC:DD:EE:FF", name: "Änn's", wasPlaying: true)
    state.wantedApp = .init(session: "app-radio", name: "Rädio")
    state.shownNotices = [7, .max]
    state.cardTests = [
      UnitState.CardTest(card: "HDA-Intel/HDA Intel/ALC 892", step: 448),
      UnitState.CardTest(card: "USB-Audio/DAC/USB Audio", step: 0),
    ]
    state.starts.begin()
    state.starts.reach(.stopped)
    state.starts.begin()
    state.starts.noteReason("the output made no progress")
    return state
  }

  // MARK: Coding

  @Test(arguments: [false, true])
  func state_encodedAndDecoded_isEqual(isFull: Bool) throws {
    let state = isFull ? full : UnitState()
    #expect(try UnitState(decoding: state.encoded()) == state)
  }

  /// Every head unit has saved states in this encoding. So a change of the encoding requires a new version number.
  @Test func encoding_equalsTheDocumentedBytes() {
    var state = UnitState()
    state.file = FileLocation(path: bytes("/m/a"), folderBytes: 2)
    state.elapsed = .test(258)
    state.wasPlaying = true
    state.repeatMode = .one
    state.volume = 1000
    state.phones = ["A"]
    state.controllers = ["B"]
    state.firstChoice = "C"
    state.unconfirmed = ["F"]
    state.phoneSource = .init(address: "D", name: "ä", wasPlaying: true)
    state.preceding = FileLocation(path: bytes("/s/b"), folderBytes: 0, stick: ("E", 2))
    state.starts.begin()
    state.starts.noteReason("x")
    let expected: [[UInt8]] = [
      [1],
      [1, 4, 0] + bytes("/m/a"),
      [2, 2, 0, 2, 0],
      [19, 10, 0, 0, 0, 2, 0, 1] + bytes("E/s/b"),
      [3, 8, 0, 2, 1, 0, 0, 0, 0, 0, 0],
      [4, 1, 0, 1],
      [5, 1, 0, 1],
      [6, 1, 0, 0],
      [7, 2, 0, 0xE8, 0x03],
      [8, 1, 0, 0],
      [11, 1, 0] + bytes("A"),
      [12, 1, 0] + bytes("B"),
      [20, 1, 0] + bytes("F"),
      [17, 1, 0] + bytes("C"),
      [18, 5, 0, 1, 1] + bytes("D") + [0xC3, 0xA4],
      [9, 6, 0, 1, 0, 0, 0, 0] + bytes("x"),
    ]
    #expect(state.encoded() == expected.flatMap { $0 })
  }

  @Test func unknownField_isSkipped() throws {
    let newer: [UInt8] = [200, 3, 0, 1, 2, 3]
    let old = full.encoded()
    #expect(try UnitState(decoding: old + newer) == full)
    #expect(try UnitState(decoding: old.prefix(1) + newer + old.dropFirst()) == full)
  }

  @Test func unknownVersion_isRefused() {
    #expect(throws: UnitStateError.unknownVersion(2)) {
      try UnitState(decoding: [2] + full.encoded().dropFirst())
    }
    #expect(throws: UnitStateError.empty) { try UnitState(decoding: []) }
  }

  @Test func truncatedState_hasTheFieldsBeforeTheCut() throws {
    let whole = full.encoded()
    var undamaged = 0
    for count in 1..<whole.count {
      var damage = StoredDamage()
      let state = try UnitState(decoding: Array(whole.prefix(count)), damage: &damage)
      // A cut between two fields cannot be detected.
      if damage.isEmpty { undamaged += 1 }
      #expect(state.file == nil || state.file?.path == full.file?.path)
      #expect([.zero, .test(123_456)].contains(state.elapsed))
    }
    #expect(undamaged == 25)
  }

  @Test(
    arguments: [
      [1, 4, 1, 0, 9],  // an unknown repeat mode
      [1, 7, 2, 0, 0xE9, 0x03],  // a volume above the maximum
      [1, 7, 1, 0, 5],  // a volume with a wrong length
      [1, 3, 8, 0, 255, 255, 255, 255, 255, 255, 255, 255],  // a negative time
      [1, 3, 8, 0, 1, 0x28, 0x6B, 0xEE, 0, 0, 0, 0],  // a time above the maximum
      [1, 15, 5, 0, 1, 0, 0, 0x40, 65],  // the step of a sound card above the maximum
      [1, 16, 12, 0, 1, 0, 0, 0, 0, 0, 0, 0x40, 1, 0, 0, 0],  // a queue number above the maximum
      [1, 16, 12, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0x40],  // a queue entry above the maximum
      [1, 1, 0, 0],  // an empty path
      [1, 1, 2, 0, 47, 0],  // a path with a NUL
      [1, 9, 2, 0, 1, 2],  // an incomplete entry of the start history
      [1, 9, 6, 0, 1, 0, 0, 0, 0, 0xFF],  // a reason that is not valid text
      [1, 9, 5, 0, 1, 0, 0, 0, 7],  // an unknown progress value
      [1, 19, 5, 0, 0, 0, 0, 0, 0],  // a preceding file without a path
      [1, 19, 6, 0, 0, 0, 0, 0, 9, 47],  // an identity that is longer than the field
      [1, 19, 8, 0, 0, 0, 1, 0, 1, 0xFF, 47, 97],  // an identity that is not valid text
    ] as [[UInt8]])
  func invalidValue_hasTheDefault_andIsNamed(_ bytes: [UInt8]) throws {
    var damage = StoredDamage()
    #expect(try UnitState(decoding: bytes, damage: &damage) == UnitState())
    let field = try #require(StateField(rawValue: bytes[1]))
    #expect(damage.values == ["\(field)"] && damage.end == nil)
  }

  /// The field with the stick of the saved file was added without a new version number. An older program skips this
  /// field. A state that an older program has saved does not contain this field.
  @Test func stick_hasAFieldOfItsOwn() throws {
    var state = UnitState()
    state.file = FileLocation(path: bytes("/m/s/a"), folderBytes: 2, stick: ("x 1 2", 4))
    let field: [UInt8] = [13, 7, 0, 4, 0] + bytes("x 1 2")
    let encoded = state.encoded()
    let index = try #require(encoded.indices.first { encoded[$0...].starts(with: field) })
    let old = Array(encoded[..<index] + encoded[(index + field.count)...])
    #expect(try UnitState(decoding: encoded) == state)
    #expect(
      try UnitState(decoding: old).file == FileLocation(path: bytes("/m/s/a"), folderBytes: 2))
  }

  @Test(
    arguments: [
      [13, 2, 0, 4, 0],  // no identity
      [13, 1, 0, 4],  // an incomplete length
      [13, 3, 0, 4, 0, 0xFF],  // an identity that is not valid text
      [13, 3, 0, 3, 0, 65],  // no slash after the mount point
      [13, 3, 0, 0, 0, 65],  // no mount point
      [13, 3, 0, 255, 255, 65],  // a mount point that is longer than the path
    ] as [[UInt8]])
  func invalidStick_isLeftOut(_ field: [UInt8]) throws {
    let state = try UnitState(decoding: [1, 1, 6, 0] + bytes("/m/s/a") + field)
    #expect(state.file == FileLocation(path: bytes("/m/s/a"), folderBytes: 0))
  }

  @Test func stickOfTheShortestPath_isLeftOut() throws {
    let state = try UnitState(decoding: [1, 1, 1, 0, 47, 13, 3, 0, 1, 0, 65])
    #expect(state.file == FileLocation(path: bytes("/"), folderBytes: 0))
  }

  @Test func folderLongerThanThePath_isIgnored() throws {
    let state = try UnitState(decoding: [1, 1, 2, 0, 47, 97, 2, 2, 0, 255, 255])
    #expect(state.file == FileLocation(path: [47, 97], folderBytes: 0))
  }

  @Test func tooManyFields_areNotRead() throws {
    let bytes: [UInt8] = [1] + [[UInt8]](repeating: [200, 0, 0], count: 257).joined()
    var damage = StoredDamage()
    #expect(try UnitState(decoding: bytes, damage: &damage) == UnitState())
    #expect(damage.end == .incompleteField(257))
  }

  @Test func randomBytes_neverCrash() {
    var random = SystemRandomNumberGenerator()
    for _ in 0..<5000 {
      var bytes = full.encoded()
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        bytes[Int.random(in: 0..<bytes.count, using: &random)] = .random(in: 0...255)
      }
      guard let state = try? UnitState(decoding: bytes) else { continue }
      #expect(state.volume.map((0...1000).contains) ?? true)
      #expect(state.encoded().count <= UnitState.maximumEncodedBytes)
    }
  }

  @Test func largestState_hasTheLargestSize() throws {
    var state = full
    let identity = String(repeating: "i", count: FileLocation.maximumIdentityBytes)
    state.file = FileLocation(
      path: [UInt8](repeating: 47, count: 4095), folderBytes: 4094, stick: (identity, 4000))
    state.preceding = FileLocation(
      path: [UInt8](repeating: 47, count: UnitState.maximumPrecedingBytes), folderBytes: 9,
      stick: (identity, 900))
    // 57 numbers of five bytes each fill the bytes for what was heard.
    state.heard = (0..<57).map { EntryID(EntryID.maximum - $0)! }
    state.phones = [String](repeating: "AA:BB:CC:DD:EE:FF", count: UnitState.maximumPhones)
    state.controllers = [String](
      repeating: "AA:BB:CC:DD:EE:FF", count: UnitState.maximumControllers)
    state.unconfirmed = [String](
      repeating: "AA:BB:CC:DD:EE:FF", count: UnitState.maximumUnconfirmed)
    state.phoneSource?.name = String(repeating: "n", count: UnitState.maximumNameBytes)
    state.wantedApp = .init(
      session: String(repeating: "w", count: UnitState.maximumSessionBytes),
      name: String(repeating: "n", count: UnitState.maximumAppNameBytes))
    state.shownNotices = (0..<UInt64(UnitState.maximumShownNotices)).map { ~$0 }
    state.cardTests = (0..<UnitState.maximumCardTests).map {
      UnitState.CardTest(
        card: String(repeating: "\($0)", count: UnitState.maximumCardBytes), step: 1 << 30)
    }
    for _ in 0..<20 {
      state.starts.begin(boot: String(repeating: "b", count: 64))
      state.starts.noteReason(String(repeating: "x", count: 500))
    }
    #expect(state.encoded().count == UnitState.maximumEncodedBytes)
    #expect(try UnitState(decoding: state.encoded()) == state)
  }

  @Test func heard_keepsTheLatestEntriesThatFit() throws {
    var state = UnitState()
    state.heard = (1...120).map { EntryID($0)! }
    #expect(try UnitState(decoding: state.encoded()).heard == state.heard.suffix(100))
    state.heard = (0..<100).map { EntryID((1 << 21) + $0)! }
    let kept = try UnitState(decoding: state.encoded()).heard
    #expect(kept == state.heard.suffix(kept.count) && kept.count == 71, "four bytes each")
  }

  @Test func phoneSource_longName_isCutBetweenCharacters() throws {
    var state = UnitState()
    let long = String(repeating: "n", count: 63) + "ä"
    state.phoneSource = .init(address: "A", name: long, wasPlaying: false)
    let saved = try UnitState(decoding: state.encoded()).phoneSource
    #expect(saved == .init(address: "A", name: String(long.dropLast()), wasPlaying: false))
  }

  // MARK: Places

  @Test func place_inSeveralFolders_usesTheLongest() throws {
    let folders = ["/data", "/data/music/", "/data/mus", "/media"].map(bytes)
    let place = try #require(FileLocation(path: bytes("/data/music/A/b.flac"), in: folders))
    #expect(place.folderBytes == 11)
    #expect(place.relativePath == bytes("A/b.flac"))
    let outside = try #require(FileLocation(path: bytes("/home/b.flac"), in: folders))
    #expect(outside.relativePath == bytes("/home/b.flac"))
    #expect(outside.candidates(in: folders) == [bytes("/home/b.flac")])
    #expect(
      FileLocation(path: bytes("/b.flac"), in: [bytes("/")])?.relativePath == bytes("/b.flac"))
  }

  @Test func candidates_includeEveryFolder() throws {
    let place = try #require(FileLocation(path: bytes("/media/a/x/y.flac"), folderBytes: 8))
    #expect(
      place.candidates(in: ["/media/a/", "/media/b", "/music//"].map(bytes))
        == ["/media/a/x/y.flac", "/media/b/x/y.flac", "/music/x/y.flac"].map(bytes))
  }

  private func mounted(_ sticks: (String, String)...) -> [MountedStick] {
    sticks.map { MountedStick(identity: $0, point: bytes($1)) }
  }

  private func texts(_ paths: [[UInt8]]) -> [String] {
    paths.map { String(decoding: $0, as: UTF8.self) }
  }

  @Test func candidates_ofAStick_followTheStick() throws {
    let folders = [bytes("/media")]
    let place = try #require(
      FileLocation(
        path: bytes("/media/sda1/x/y.flac"), in: folders, on: mounted(("A", "/media/sda1"))))
    #expect(place.stick?.identity == "A" && place.folderBytes == 6)
    func candidates(_ sticks: (String, String)...) -> [String] {
      let mounted = sticks.map { MountedStick(identity: $0, point: bytes($1)) }
      return texts(place.candidates(in: folders, on: mounted))
    }
    // If no stick is reported, the saved path is used.
    #expect(candidates() == ["/media/sda1/x/y.flac"])
    #expect(candidates(("A", "/media/sda1")) == ["/media/sda1/x/y.flac"])
    // Another stick has the old mount point. The saved file is not on this stick, even if a file on this stick has the
    // same path.
    #expect(candidates(("B", "/media/sda1")) == [])
    #expect(
      candidates(("B", "/media/sda1"), ("A", "/media/sdb1")) == ["/media/sdb1/x/y.flac"])
    #expect(
      candidates(("A", "/media/sdb")) == ["/media/sdb/x/y.flac", "/media/sda1/x/y.flac"])
    // Copies of a stick have the same identity. The copy at the old mount point comes first. The other copies follow in
    // the order of the mounts.
    #expect(
      candidates(("A", "/media/sdc1"), ("A", "/media/sdb1"), ("A", "/media/sda1"))
        == ["/media/sda1/x/y.flac", "/media/sdc1/x/y.flac", "/media/sdb1/x/y.flac"])
  }

  @Test func place_onAStick_needsThePathBelowTheMountPoint() {
    func identity(_ path: String) -> String? {
      FileLocation(path: bytes(path), in: [], on: mounted(("A", "/media/sda1")))?.stick?.identity
    }
    #expect(identity("/media/sda1/a") == "A")
    #expect(identity("/media/sda10/a") == nil)
    #expect(identity("/media/sda1") == nil)
    #expect(identity("/media/sda1/") == nil)
  }

  @Test func place_invalidPath_isNil() {
    #expect(FileLocation(path: [], folderBytes: 0) == nil)
    #expect(FileLocation(path: [47, 0], folderBytes: 0) == nil)
    #expect(FileLocation(path: [47], folderBytes: 1) == nil)
    #expect(FileLocation(path: [47], folderBytes: -1) == nil)
    #expect(FileLocation(path: [UInt8](repeating: 47, count: 4096), folderBytes: 0) == nil)
  }
}

@Suite struct StartHistoryTests {
  @Test func failuresInARow_countsStartsThatEndedEarly() {
    var history = StartHistory()
    history.begin()
    #expect(history.failuresInARow == 0)
    history.reach(.steady)
    history.begin()
    #expect(history.failuresInARow == 0)  // The first start was steady, so it did not fail.
    history.begin()
    history.begin()
    #expect(history.failuresInARow == 2)
    history.reach(.stopped)
    history.begin()
    #expect(history.failuresInARow == 0)
  }

  @Test func history_isBounded_andNumbersContinue() {
    var history = StartHistory()
    for _ in 0..<20 { history.begin() }
    #expect(history.starts.map(\.number) == Array(13...20))
    #expect(history.failuresInARow == 7)
    history.starts[7].number = .max
    history.begin()
    #expect(history.starts.last?.number == .max)
  }

  @Test func recordedReason_isKept() {
    var history = StartHistory()
    history.noteReason("before the first start")
    history.begin(reasonOfLast: "crashed")
    history.noteReason("watchdog")
    history.begin(reasonOfLast: "killed")
    history.begin(reasonOfLast: "killed")
    history.reach(.stopped)
    history.begin(reasonOfLast: "killed")
    #expect(history.starts.map(\.reason) == ["watchdog", "killed", "", ""])
  }

  @Test func reason_isTruncatedBetweenCharacters() {
    var history = StartHistory()
    history.begin()
    history.noteReason(String(repeating: "é", count: 100) + "x")
    #expect(history.starts[0].reason == String(repeating: "é", count: 60))
  }

  @Test func isOf_isTrueOnlyForAKnownBootThatIsTheSame() {
    var history = StartHistory()
    #expect(!history.isOf(boot: "") && !history.isOf(boot: "1"))
    history.begin(boot: "1")
    #expect(history.isOf(boot: "1") && !history.isOf(boot: "2") && !history.isOf(boot: ""))
  }

  /// A starter motor can interrupt the power several times in a row. Starts that end in this way do not count as
  /// failed.
  @Test func startsEndedByAPowerCut_areNotFailures() {
    var history = StartHistory()
    for boot in 0..<5 { history.begin(reasonOfLast: "killed", boot: "\(boot)") }
    #expect(history.failuresInARow == 0)
    #expect(history.starts.dropLast().allSatisfy { $0.reason == "power cut" })
    for _ in 0..<2 { history.begin(reasonOfLast: "killed", boot: "4") }
    #expect(history.failuresInARow == 2)
    #expect(history.starts.dropLast().last?.reason == "killed")
  }
}
