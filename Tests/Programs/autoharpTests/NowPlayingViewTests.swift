import NowPlaying
import Text
import Testing

@testable import autoharp

private let soWhat = NowPlayingView.Model(
  title: "So What", artist: "Miles Davis", album: "Kind of Blue", state: .playing,
  elapsedSeconds: 83.4, durationSeconds: 562, format: "FLAC 24/96 stereo → S32 96 kHz",
  output: "hw:0,0", next: "Freddie Freeloader", volume: VolumeLevel(thousandths: 850),
  repeatMode: .all,
  shuffle: true, trackNumber: 3, trackCount: 12)

/// The view as one string. If you change the layout on purpose, check the output of the failing test, and use this
/// output as the new golden text.
private func picture(of model: NowPlayingView.Model, columns: Int) -> String {
  NowPlayingView.lines(for: model, columns: columns, color: false).joined(separator: "\n")
}

private func changed(_ change: (inout NowPlayingView.Model) -> Void) -> NowPlayingView.Model {
  var model = soWhat
  change(&model)
  return model
}

@Suite struct NowPlayingViewTests {
  // MARK: Goldens

  @Test func golden_eightyColumns() {
    #expect(
      picture(of: soWhat, columns: 80) == """
         ▶  So What                                                             3 of 12
            Miles Davis · Kind of Blue

            1:23 ▕█████████▎                                                     ▏ 9:22

            FLAC 24/96 stereo → S32 96 kHz                                       hw:0,0
            next  Freddie Freeloader                                volume 85  ↻ all  ⇄

            space pause  n next  p prev  ←→ 15 s  +- vol  r repeat  ? keys  q quit
        """)
  }

  @Test func golden_fortyColumns() {
    #expect(
      picture(of: soWhat, columns: 40) == """
         ▶  So What                     3 of 12
            Miles Davis · Kind of Blue

            1:23 ▕███▍                   ▏ 9:22

            FLAC 24/96 stereo → S32 96…  hw:0,0
            next  Freddie…  volume 85  ↻ all  ⇄

            space pause  n next  ? keys  q quit
        """)
  }

  @Test func golden_wideTerminal_keepsTheLargestWidth() {
    #expect(
      picture(of: soWhat, columns: 200) == """
         ▶  So What                                                                                  3 of 12
            Miles Davis · Kind of Blue

            1:23 ▕████████████▍                                                                       ▏ 9:22

            FLAC 24/96 stereo → S32 96 kHz                                                            hw:0,0
            next  Freddie Freeloader                                                     volume 85  ↻ all  ⇄

            space pause  n next  p prev  ←→ 15 s  +- vol  r repeat  s shuffle  ? keys  q quit
        """)
  }

  @Test func golden_narrowTerminal_isOneLine() {
    #expect(picture(of: soWhat, columns: 39) == "▶ 1:23/9:22 So What · Miles Davis")
    #expect(picture(of: soWhat, columns: 24) == "▶ 1:23/9:22 So What · …")
    #expect(picture(of: changed { $0.notice = "xrun" }, columns: 30) == "▶ 1:23/9:22 xrun")
  }

  @Test func golden_missingTagsPausedAndLastTrack() {
    let model = NowPlayingView.Model(
      title: "", state: .paused, elapsedSeconds: 3723, format: "Ogg Vorbis 44.1 kHz mono",
      output: "null", notice: "no sound card: playing silently")
    #expect(
      picture(of: model, columns: 60) == """
         ❚❚ Untitled


            1:02:03 ▕                                             ▏

            Ogg Vorbis 44.1 kHz mono                           null


            no sound card: playing silently
        """)
  }

  @Test func golden_longTitle_wraps_andTheBarStaysInItsRow() {
    let model = changed {
      $0.title = "Symphonie fantastique: Épisode de la vie d’un artiste, en cinq parties"
      $0.artist = "交響楽団と合唱団と指揮者"
      $0.album = "Une très longue collection de disques"
      $0.output = "front:CARD=A_very_long_card_name,DEV=0"
      $0.next = "Rêveries – Passions (Largo – Allegro agitato e appassionato assai)"
    }
    #expect(
      picture(of: model, columns: 50) == """
         ▶  Symphonie fantastique: Épisode de la  3 of 12
            vie d’un artiste, en cinq parties
            交響楽団と合唱団と指揮者 · Une très longue c…
            1:23 ▕████▉                            ▏ 9:22

            FLAC 24/96 stereo → S32 96 kHz  front:CARD=A…
            next  Rêveries – Passio…  volume 85  ↻ all  ⇄

            space pause  n next  p prev  ? keys  q quit
        """)
  }

  @Test func titleOfThreeLines_isTruncatedInTheSecond() {
    let model = changed { $0.title = String(repeating: "word ", count: 40) }
    let lines = NowPlayingView.lines(for: model, columns: 50, color: false)
    #expect(lines.count == 9 && lines[1].hasSuffix("…") && lines[2].contains("Miles Davis"))
  }

  @Test func golden_lowTerminal_isOneLine() {
    for rows in [1, 9] {
      let lines = NowPlayingView.lines(for: soWhat, columns: 80, rows: rows, color: false)
      #expect(lines == ["▶ 1:23/9:22 So What · Miles Davis"])
    }
    #expect(NowPlayingView.lines(for: soWhat, columns: 80, rows: 10, color: false).count == 9)
  }

  @Test func golden_keys() {
    let model = changed { $0.showsKeys = true }
    #expect(
      picture(of: model, columns: 80) == """
            Keys
            space  pause, continue     ← →  15 seconds back, ahead
            n      next track          + -  louder, quieter
            p      previous track      r    repeat: off, all, one
            q      quit (or Ctrl-C)    s    shuffle on, off
            m      mute on, off        c    chime, with --chime
            ?      these keys

            ? closes this list
        """)
    let narrow = NowPlayingView.lines(for: model, columns: 40, color: false)
    #expect(narrow.count == 9 && narrow.allSatisfy { TextWidth.columns(of: $0) < 40 })
  }

  // MARK: Parts

  @Test func glyph_showsTheState() {
    let glyphs: [(NowPlayingView.State, String)] = [
      (.playing, " ▶  So"), (.paused, " ❚❚ So"), (.stopped, " ■  So"), (.buffering, " ◌  So"),
    ]
    for (state, head) in glyphs {
      #expect(picture(of: changed { $0.state = state }, columns: 80).hasPrefix(head))
    }
  }

  @Test func keyHint_ofSpace_dependsOnTheState() {
    #expect(picture(of: soWhat, columns: 80).contains("space pause"))
    #expect(picture(of: changed { $0.state = .paused }, columns: 80).contains("space play"))
  }

  @Test func marks_showOnlyWhatIsSet() {
    func marks(_ change: (inout NowPlayingView.Model) -> Void) -> String {
      let plain = changed {
        $0.next = nil
        $0.volume = .loudest
        $0.repeatMode = .off
        $0.shuffle = false
        change(&$0)
      }
      let line = NowPlayingView.lines(for: plain, columns: 80, color: false)[6]
      return String(line.drop { $0 == " " })
    }
    #expect(marks { _ in } == "")
    #expect(marks { $0.repeatMode = .one } == "↻ one")
    #expect(marks { $0.repeatMode = .all } == "↻ all")
    #expect(marks { $0.shuffle = true } == "⇄")
    #expect(marks { $0.volume = .silent } == "volume 0")
    #expect(marks { $0.volume = .loudest } == "")
  }

  @Test func singleTrack_showsNoPosition() {
    let model = changed {
      $0.trackNumber = 1
      $0.trackCount = 1
    }
    #expect(!picture(of: model, columns: 80).contains("1 of 1"))
  }

  @Test func artistAndAlbum_areJoined_ifBothAreKnown() {
    func second(_ artist: String, _ album: String) -> String {
      let model = changed {
        $0.artist = artist
        $0.album = album
      }
      return NowPlayingView.lines(for: model, columns: 80, color: false)[1]
    }
    #expect(second("A", "B") == "    A · B")
    #expect(second("A", "") == "    A")
    #expect(second("", "B") == "    B")
    #expect(second("", "") == "")
  }

  // MARK: Bar

  @Test(
    arguments: [
      (0, "    "), (1, "▏   "), (2, "▎   "), (3, "▍   "), (4, "▌   "), (5, "▋   "), (6, "▊   "),
      (7, "▉   "), (8, "█   "), (16, "██  "), (31.9, "███▉"), (32, "████"), (50, "████"),
      (-1, "    "), (.nan, "    "), (.infinity, "████"),
    ] as [(Double, String)])
  func bar_fillsByEighths(_ eighths: Double, _ bar: String) {
    #expect(ProgressBar.text(fraction: eighths / 32, cells: 4) == bar)
  }

  @Test func bar_withoutCells_isEmpty() {
    #expect(ProgressBar.text(fraction: 0.5, cells: 0) == "")
    #expect(ProgressBar.text(fraction: 0.5, cells: -3) == "")
  }

  @Test func bar_longerElapsedTime_keepsItsPosition() {
    func start(_ seconds: Double) -> Int {
      let model = changed {
        $0.elapsedSeconds = seconds
        $0.durationSeconds = 4000
      }
      let line = NowPlayingView.lines(for: model, columns: 80, color: false)[3]
      return line.prefix { $0 != "▕" }.count
    }
    #expect(start(9) == start(3999))
  }

  // MARK: Guarantees

  /// Tests every width, with complete data, incomplete data, and texts that are hard to fit.
  @Test(arguments: [false, true])
  func lines_atEveryWidth_stayBelowTheLastColumn(color: Bool) {
    let hard = [
      soWhat,
      changed {
        $0.title = String(repeating: "日本", count: 200)
        $0.artist = String(repeating: "e\u{301}", count: 300)
        $0.output = String(repeating: "x", count: 300)
        $0.format = String(repeating: "y", count: 300)
        $0.next = String(repeating: "👩‍👩‍👧", count: 100)
        $0.notice = String(repeating: "z", count: 300)
        $0.elapsedSeconds = 1e18
        $0.durationSeconds = 1e18
        $0.volume = VolumeLevel(thousandths: 50)
      },
      changed {
        $0.durationSeconds = nil
        $0.elapsedSeconds = .nan
        $0.next = nil
      },
    ]
    for model in hard {
      for columns in -1...210 {
        let lines = NowPlayingView.lines(for: model, columns: columns, color: color)
        #expect(lines.count == (columns < 40 ? 1 : 9))
        for line in lines {
          #expect(TextWidth.columns(ofStyled: line) <= max(0, min(columns - 1, 100)), "\(line)")
        }
      }
    }
  }

  @Test func keyHints_withoutKeys_showOnlyControlC() {
    let lines = NowPlayingView.lines(
      for: changed { $0.hasKeys = false }, columns: 80, color: false)
    #expect(lines.last == "    Ctrl-C quit")
  }

  @Test func tagsWithEscapes_areSanitized() {
    let hostile = "\u{1B}[2J\u{9B}31m\u{202E}x\r\ny\u{1B}]0;t\u{07}"
    let model = changed {
      $0.title = hostile
      $0.artist = hostile
      $0.album = hostile
      $0.format = hostile
      $0.output = hostile
      $0.next = hostile
      $0.notice = hostile
    }
    for columns in [30, 80] {
      for line in NowPlayingView.lines(for: model, columns: columns, color: false) {
        #expect(TextWidth.sanitized(line) == line)
      }
    }
  }

  @Test func color_addsOnlySGRSequencesThatAreReset() throws {
    for columns in [30, 80] {
      let plain = NowPlayingView.lines(for: soWhat, columns: columns, color: false)
      let colored = NowPlayingView.lines(for: soWhat, columns: columns, color: true)
      #expect(plain.allSatisfy { !$0.contains("\u{1B}") })
      #expect(colored.contains { $0.contains("\u{1B}[") })
      for (line, bare) in zip(colored, plain) {
        #expect(line.replacing(/\u{1B}\[[0-9;]*m/, with: "") == bare)
        #expect(!line.contains("\u{1B}") || line.contains("\u{1B}[0m"))
      }
    }
  }
}
