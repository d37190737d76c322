import AVRCPTarget
import EventLoop
import NowPlaying
import Reports
import SystemClock
import TestKit
import Testing

/// Tests the player of the unit on a bus, as a fake BlueZ reads the player.
@Suite struct PlayerTests {
  private func isNear(_ position: UInt32, _ seconds: Double) -> Bool {
    abs(Double(position) / 1000 - seconds) < 0.2
  }

  /// The elapsed time of the center, in seconds.
  private func elapsed(_ bench: Bench) throws -> Double {
    try #require(bench.center.state.elapsed(at: .now())) / .seconds(1)
  }

  @Test func player_isRegisteredWithAllProperties() throws {
    let bench = try Bench()
    let player = try #require(bench.player)
    #expect(player.track?["Title"] == "first")
    #expect(player.track?["Artist"] == "Ann")
    #expect(player.track?["Album"] == "Records")
    #expect(player.duration == 240_000)
    #expect(player.status == "Paused")
    #expect(player.settings == ["Shuffle": "off", "Repeat": "off"])
    #expect(
      player.flags == ["CanPlay", "CanPause", "CanGoNext", "CanGoPrevious", "CanControl"])
    // The player has no property that BlueZ ignores.
    #expect(player.ignored == [])
    #expect(player.lostDictionaries == 0)
    #expect(bench.bluez.players["hci0"]?.count == 1)
  }

  @Test func publish_severalArtists_areOneText_withNumberAndGenre() throws {
    let bench = try Bench()
    bench.source.content = song(
      "second", artists: ["Ann", "Bo", "Ann"], genre: "Folk", number: 3)
    bench.source.publish()
    try bench.turn { bench.player?.title == "second" }
    let track = try #require(bench.player?.track)
    #expect(track["Artist"] == "Ann, Bo")
    #expect(track["Genre"] == "Folk")
    #expect(track["TrackNumber"] == "3")
  }

  @Test func publish_longTexts_areCutBetweenCharacters_toOnePacket() throws {
    let bench = try Bench()
    let long = String(repeating: "ü", count: 40_000)
    let family = String(repeating: "👩‍👩‍👧", count: 100)
    bench.source.content = song(long, artists: [family], album: long + "!", genre: long)
    bench.source.publish()
    try bench.turn { bench.player?.title.hasPrefix("üü") == true }
    let track = try #require(bench.player?.track)
    #expect(track["Title"]?.utf8.count == 120)
    #expect(track["Album"]?.utf8.count == 120)
    #expect(track["Genre"]?.utf8.count == 40)
    let artist = try #require(track["Artist"])
    #expect(artist.utf8.count <= 120 && !artist.isEmpty)
    #expect(artist.allSatisfy { $0 == "👩‍👩‍👧" })
    let bytes = track.values.reduce(0) { $0 + $1.utf8.count + 8 }
    #expect(bytes <= 500)
    // The limits `.attribute` are meant for qualification runs. They permit a title of 65,000 bytes.
    bench.target.options.limits = .attribute
    try bench.turn { bench.player?.title.utf8.count == 65_000 }
  }

  @Test func publish_otherArtwork_sendsNothing() throws {
    let bench = try Bench()
    let player = try #require(bench.player)
    bench.source.content = song("first", artwork: "cover")
    bench.source.publish()
    try bench.settle()
    #expect(player.events == [])
  }

  @Test func publish_playing_keepsThePosition_withoutFurtherSignals() throws {
    let bench = try Bench()
    let player = try #require(bench.player)
    bench.source.position = .seconds(30)
    bench.source.seeks += 1
    bench.source.play()
    try bench.turn { player.status == "Playing" }
    #expect(player.events == ["STATUS_CHANGED playing"])
    player.events = []
    let began = EventClock.monotonic.now
    try bench.turn { EventClock.monotonic.now - began > 1_500_000_000 }
    #expect(isNear(player.position, try elapsed(bench)))
    #expect(player.events == [])
    // The guard (``SurfaceGuard``) has compared the player with the state and found no difference.
    #expect(!bench.log.contains { $0.event == .playerDiffers })
  }

  @Test func publish_trackChange_seek_stop_notifyThePhone() throws {
    let bench = try Bench()
    let player = try #require(bench.player)
    bench.source.play()
    try bench.turn { player.status == "Playing" }
    player.events = []
    bench.source.content = song("second", duration: .finite(.seconds(100)))
    bench.source.position = .zero
    bench.source.publish()
    try bench.turn { player.title == "second" }
    try bench.settle()
    #expect(player.events == ["TRACK_CHANGED", "TRACK_REACHED_START"])
    #expect(player.duration == 100_000)
    player.events = []
    bench.source.position = .seconds(50)
    bench.source.seeks += 1
    bench.source.publish()
    try bench.turn { isNear(player.position, 50) }
    #expect(player.events == ["STATUS_CHANGED playing"])
    player.events = []
    bench.source.playback = .stopped
    bench.source.publish()
    try bench.turn { player.status == "Stopped" }
    #expect(player.position == 0)
    #expect(player.events == ["STATUS_CHANGED stopped", "TRACK_REACHED_START"])
  }

  @Test func publish_trackStartsAgain_isATrackChange() throws {
    let bench = try Bench()
    let player = try #require(bench.player)
    bench.source.position = .seconds(8)
    bench.source.seeks += 1
    bench.source.play()
    try bench.turn { player.status == "Playing" && isNear(player.position, 8) }
    player.events = []
    bench.source.position = .zero
    bench.source.seeks += 1
    bench.source.publish()
    try bench.turn { isNear(player.position, 0) }
    try bench.settle()
    #expect(player.events == ["TRACK_CHANGED", "TRACK_REACHED_START"])
  }

  /// The patched bluetoothd of the image shows no track. An unpatched bluetoothd shows a track without a title.
  @Test(arguments: [true, false])
  func publish_nothingToPlay_isNoTrack_alsoAfterATrack(isPatched: Bool) throws {
    let bench = try Bench { $0.isPatched = isPatched }
    let player = try #require(bench.player)
    #expect(player.title == "first")
    bench.source.content = nil
    bench.source.playback = .stopped
    bench.source.publish()
    try bench.turn { player.title == "" }
    #expect((player.track == nil) == isPatched)
    #expect(player.reportedDuration == .max)
    #expect(player.events.contains("TRACK_CHANGED") && player.lostDictionaries == 0)
    bench.source.content = song("second")
    bench.source.publish()
    try bench.turn { player.title == "second" }
    #expect(!bench.log.contains { $0.event == .playerDiffers })
  }

  @Test func publish_liveContent_hasNoLength() throws {
    let bench = try Bench()
    let player = try #require(bench.player)
    bench.source.play()
    bench.source.content = song("radio", duration: .live)
    bench.source.publish()
    try bench.turn { player.title == "radio" }
    #expect(player.reportedDuration == .max)
    bench.source.position = .seconds(100)
    bench.source.seeks += 1
    bench.source.publish()
    try bench.settle()
    #expect(!player.events.contains("TRACK_REACHED_END"))
  }

  @Test func publish_interrupted_isPaused() throws {
    let bench = try Bench()
    bench.source.play()
    try bench.turn { bench.player?.status == "Playing" }
    bench.source.playback = .interrupted
    bench.source.publish()
    try bench.turn { bench.player?.status == "Paused" }
  }

  @Test func publish_otherRate_isCorrectedRegularly() throws {
    let bench = try Bench()
    let player = try #require(bench.player)
    bench.source.defaultRate = 2
    bench.source.play(rate: 2)
    try bench.turn { player.status == "Playing" }
    player.events = []
    try bench.turn { player.events.contains("STATUS_CHANGED playing") }
    let elapsed = try #require(bench.center.state.elapsed(at: .now()))
    #expect(abs(Double(player.position) / 1000 - Double(elapsed.components.seconds)) < 2.2)
  }

  /// BlueZ counts the position during an advertisement too. So the unit corrects the position at BlueZ.
  @Test func P8_advertisement_isNotCounted_andBluezsClockIsCorrected() throws {
    let bench = try Bench()
    let player = try #require(bench.player)
    var content = MusicContent(
      id: "ad", songTitle: "ad", artistName: "", albumName: "", duration: .finite(.seconds(100)))
    content.adTimeRanges = [AdTimeRange(start: .seconds(30), duration: .seconds(2))]
    bench.source.content = .music(content)
    bench.source.position = .seconds(29)
    bench.source.play()
    try bench.turn { player.status == "Playing" && player.title == "ad" }
    #expect(player.duration == 98_000)
    try bench.turn { (try? elapsed(bench)) == 30 }
    player.events = []
    var corrections = 0
    try bench.turn {
      let net = (try? elapsed(bench)) ?? 0
      if net == 30 { corrections = player.events.count }
      return net > 30.2
    }
    #expect(corrections > 0)
    #expect(isNear(player.position, try elapsed(bench)))
    #expect(!bench.log.contains { $0.event == .playerDiffers })
  }

  // MARK: Keys and settings

  @Test(arguments: [
    (FakeBluez.Key.play, "play"), (.pause, "pause"), (.stop, "stop"), (.forward, "next"),
    (.backward, "previous"),
  ])
  func press_key_sendsTheCommand(_ key: FakeBluez.Key, _ command: String) throws {
    let bench = try Bench()
    if key == .pause { bench.source.play() }
    try bench.turn { bench.player?.status == (key == .pause ? "Playing" : "Paused") }
    bench.bluez.press(key)
    try bench.turn { bench.source.performed == [command] }
    let record = try #require(bench.center.trace.records.last)
    #expect(record.surface == "phone" && record.inputPath == .dbus)
    #expect(bench.bluez.keys == [])
  }

  @Test func press_unavailableCommand_goesToTheInputDevice() throws {
    let bench = try Bench()
    bench.source.hasNext = false
    bench.source.publish()
    try bench.turn { bench.player?.flags.contains("CanGoNext") == false }
    bench.bluez.press(.forward)
    bench.bluez.press(.play, whileKeyIsHeld: true)
    #expect(bench.bluez.keys == ["FORWARD", "PLAY"])
  }

  @Test func settings_areSetByPhoneOrUnit_andReported() throws {
    let bench = try Bench()
    let player = try #require(bench.player)
    bench.bluez.set("Shuffle", .boolean(true))
    try bench.turn { player.settings["Shuffle"] == "alltracks" }
    #expect(bench.source.performed == ["shuffle items"])
    bench.bluez.set("LoopStatus", .string("Track"))
    try bench.turn { player.settings["Repeat"] == "singletrack" }
    bench.bluez.set("LoopStatus", .string("Playlist"))
    try bench.turn { player.settings["Repeat"] == "alltracks" }
    bench.source.repeatMode = .off
    bench.source.shuffleMode = .off
    bench.source.publish()
    try bench.turn { player.settings == ["Shuffle": "off", "Repeat": "off"] }
    // Unknown values are ignored: the source receives no command.
    bench.bluez.set("LoopStatus", .string("Sometimes"))
    bench.bluez.set("Shuffle", .string("yes"))
    try bench.settle()
    #expect(bench.source.performed.count == 3)
  }

  @Test func call_fromAnotherProgram_isDenied() throws {
    let bench = try Bench()
    let player = try #require(bench.player)
    let otherProgram = try Bus(bench.loop, to: .bus(bench.bus.address))
    var answer: Result<BodyReader, BusError>?
    otherProgram.call(player.sender, player.path, "org.mpris.MediaPlayer2.Player", "Next") {
      answer = $0
    }
    try bench.turn { answer != nil }
    guard case .failure(.remote(BusErrorName.accessDenied, _))? = answer else {
      Issue.record("the call was accepted")
      return
    }
    #expect(bench.source.performed == [])
  }

  @Test func press_flood_everyPressIsInTheTrace() throws {
    let bench = try Bench()
    for hundred in 1...100 {
      for _ in 0..<100 { bench.bluez.press(.forward) }
      try bench.turn { bench.center.trace.count >= hundred * 100 - 50 }
    }
    try bench.turn { bench.center.trace.count == 10_000 }
    #expect(bench.target.report.sections.last?.facts.first?.value == "10000")
    // Two presses within 40 ms count as one press, because people cannot press so quickly.
    #expect((1..<1000).contains(bench.source.performed.count))
  }

  @Test func press_oneController_hasAnOrigin() throws {
    let bench = try Bench(controllers: [Bench.phone, Bench.other]) {
      $0.addDevice(Bench.phone, isConnected: true)
    }
    bench.target.options.obeysPlayOnConnect = true
    bench.bluez.press(.forward)
    try bench.turn { bench.center.trace.count == 1 }
    bench.bluez.addDevice(Bench.other, name: "Other", isConnected: true)
    try bench.turn { bench.target.state.connected.count == 2 }
    bench.bluez.press(.backward)
    try bench.turn { bench.center.trace.count == 2 }
    #expect(
      bench.center.trace.records.map(\.origin)
        == [.bluetooth("Phone", address: Bench.phone), nil])
  }

  @Test func press_playAfterConnecting_isIgnored() throws {
    let bench = try Bench { $0.addDevice(Bench.phone) }
    bench.bluez.connect(Bench.phone)
    try bench.turn { bench.target.state.connected.count == 1 }
    bench.bluez.press(.play)
    bench.bluez.press(.forward)
    try bench.turn { bench.source.performed == ["next"] }
    #expect(bench.log.contains { $0.event == .playIgnored })
    bench.target.options.obeysPlayOnConnect = true
    bench.bluez.press(.play)
    try bench.turn { bench.source.performed == ["next", "play"] }
  }

  // MARK: Volume

  /// For two seconds after a phone connects, the unit ignores the volume of the phone and sends the volume of the unit.
  @Test func volume_withATransport_isSetByPhoneOrUnit() throws {
    let bench = try Bench { $0.addDevice(Bench.phone) }
    bench.bluez.addTransport(Bench.phone, volume: 100)
    try bench.turn { bench.bluez.volume(Bench.phone) == 64 }
    bench.bluez.setVolume(Bench.phone, 80)
    try bench.turn { bench.bluez.volume(Bench.phone) == 64 }
    try bench.advanceClock(by: .seconds(3))
    bench.bluez.setVolume(Bench.phone, 80)
    try bench.turn { bench.center.state.volume.level == VolumeLevel(step: 80, of: 127) }
    bench.center.setVolume(Volume(level: VolumeLevel(step: 20, of: 127)), at: .now())
    try bench.turn { bench.bluez.volume(Bench.phone) == 20 }
    try bench.settle()
    #expect(bench.bluez.calls.filter { $0.hasPrefix("Set fd0 Volume") }.count == 3)
  }
}
