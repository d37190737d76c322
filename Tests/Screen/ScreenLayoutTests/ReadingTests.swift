import NowPlaying
import ScreenLayout
import ScreenSamples
import Testing

/// Reads the shown values back from a scene, and compares them with the state for which the scene was made (P12).
@Suite struct ReadingTests {
  private func differences(
    _ sample: SampleScene, paints painted: NowPlayingState? = nil, _ context: ScreenContext? = nil
  ) -> [String] {
    let context = context ?? sample.context
    let scene = NowPlayingLayout.scene(
      painted ?? sample.state, context, measure: FixedWidthMeasure())
    return DisplayedState(of: sample.state, at: context.now)
      .differences(from: scene.reading(of: sample.state, context)).map(\.field)
  }

  /// The samples have buttons for repeat and shuffle, but their states do not offer these commands. So these buttons
  /// are not read.
  @Test(arguments: Screen.all) func eachSample_isReadAsItsState(_ screen: Screen) {
    for sample in SampleScene.all {
      var context = sample.context
      context.panel = screen.panel
      #expect(differences(sample, context).isEmpty, "\(sample.name)")
      for language in ["de", "ar"] as [LanguageTag] {
        context.language = language
        #expect(differences(sample, context).isEmpty, "\(sample.name) \(language)")
      }
    }
  }

  private static func playing(_ change: (inout Parts) -> Void) throws -> NowPlayingState {
    let state = try #require(SampleScene.named("playing")).state
    var parts = Parts(playback: try #require(state.playback))
    change(&parts)
    let texts: [(MetadataIdentifier, String)] = [
      (.title, parts.title), (.artist, parts.artist), (.albumName, parts.album),
    ]
    return NowPlayingState(
      revision: 1, session: state.session,
      content: .music(
        MusicContent(
          id: "x", metadata: MetadataItems(texts.map { MetadataItem($0, $1) }),
          duration: .finite(.seconds(parts.length)))),
      playback: parts.playback, commands: state.commands + parts.modes,
      template: TemplateState(
        buttons: [
          .init(
            kind: .repeat, isEnabled: true, isSelected: parts.repeatMode != .off,
            value: parts.repeatMode.rawValue),
          .init(
            kind: .shuffle, isEnabled: true, isSelected: parts.shuffleMode != .off,
            value: parts.shuffleMode.rawValue),
        ], upNext: .off, isAlbumArtistEnabled: true),
      volume: state.volume, hold: parts.hold, language: state.language)
  }

  private struct Parts {
    var title = "Title", artist = "Artist", album = "Album"
    var length = 200
    var playback: MediaPlaybackSnapshot
    var hold: PlaybackHold?
    var repeatMode = MediaCommand.RepeatMode.off
    var shuffleMode = MediaCommand.ShuffleMode.off

    var modes: [CommandOffer] {
      [
        CommandOffer(
          .changeRepeatMode, parameters: .repeatMode(repeatMode, supported: [.off, .one, .all])),
        CommandOffer(
          .changeShuffleMode, parameters: .shuffleMode(shuffleMode, supported: [.off, .items])),
      ]
    }

    mutating func playback(_ state: MediaPlaybackSnapshot.PlaybackState, _ seconds: Int) {
      playback = MediaPlaybackSnapshot(
        state: state, elapsedTime: .seconds(seconds), timestamp: SampleScene.now)
    }
  }

  /// Simulates a screen that receives one state but paints another state. The values that are read back differ from the
  /// received state in exactly the field that is painted wrong.
  @Test func partThatIsPaintedWrong_isRead() throws {
    let given = try Self.playing { $0.playback(.playing(), 50) }
    let wrong: [(String, (inout Parts) -> Void)] = [
      ("title", { $0.title = "Another" }), ("subtitle", { $0.artist = "Another" }),
      ("detail", { $0.album = "Another" }), ("duration", { $0.length = 210 }),
      ("elapsed", { $0.playback(.playing(), 60) }), ("status", { $0.playback(.paused, 50) }),
      ("status", { $0.playback(.interrupted, 50) }), ("repeat", { $0.repeatMode = .one }),
      ("shuffled", { $0.shuffleMode = .items }),
    ]
    let context = try #require(SampleScene.named("playing")).context
    func differences(_ painted: NowPlayingState) -> [String] {
      let scene = NowPlayingLayout.scene(painted, context, measure: FixedWidthMeasure())
      return DisplayedState(of: given, at: context.now)
        .differences(from: scene.reading(of: given, context)).map(\.field)
    }
    #expect(differences(given).isEmpty)
    for (field, change) in wrong {
      let painted = try Self.playing {
        $0.playback(.playing(), 50)
        change(&$0)
      }
      #expect(differences(painted) == [field])
    }
  }

  /// While the source resumes, the middle button has the play symbol.
  @Test(arguments: [.interruption(.call), .outputLost, .source, .resuming, nil] as [PlaybackHold?])
  func interruptedState_isReadAsInterrupted(_ hold: PlaybackHold?) throws {
    let state = try Self.playing {
      $0.playback(.interrupted, 50)
      $0.hold = hold
    }
    let context = try #require(SampleScene.named("playing")).context
    let scene = NowPlayingLayout.scene(state, context, measure: FixedWidthMeasure())
    #expect(scene.reading(of: state, context).status == .interrupted)
  }

  @Test func sceneWithoutItsTitle_isRead() throws {
    let sample = try #require(SampleScene.named("playing"))
    let empty = NowPlayingState(revision: 1, volume: sample.state.volume)
    #expect(differences(sample, paints: empty).contains("title"))
  }

  @Test func otherPage_showsNothingOfTheState() throws {
    var read = 0
    for sample in SampleScene.all {
      if case .menu = sample.context.page {
        read += 1
        #expect(sample.scene().reading(of: sample.state, sample.context) == DisplayedState())
      }
    }
    #expect(read > 5)
  }

  @Test func positionUnderAFinger_isNoElapsedTime() throws {
    let sample = try #require(SampleScene.named("playing"))
    var context = sample.context
    context.seekPreview = .seconds(200)
    let scene = NowPlayingLayout.scene(sample.state, context, measure: FixedWidthMeasure())
    let reading = scene.reading(of: sample.state, context)
    #expect(reading.elapsed == nil)
    #expect(reading.duration == sample.state.duration?.length)
  }

  @Test func readTimes_areThoseOfTheState() throws {
    let sample = try #require(SampleScene.named("playing"))
    let reading = sample.scene().reading(of: sample.state, sample.context)
    #expect(reading.elapsed == .seconds(84) && reading.duration == .seconds(251))
    #expect(reading.status == .playing && reading.title == "Slow Ferry Home")
  }
}
