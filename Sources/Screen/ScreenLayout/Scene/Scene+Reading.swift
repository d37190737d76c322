public import NowPlaying

// Reads the shown values from the elements of a scene and not from the state, so that errors of the layout are found
// too.
extension Scene {
  /// The values of the state that this scene shows (P12). A value that the scene does not show is nil. The scene can
  /// show a cleaned or replaced form of a text. If the scene shows the expected form, the result contains the full text
  /// of the state.
  /// - Parameters:
  ///   - state: the state for which the scene was made.
  ///   - context: the context for which the scene was made.
  public func reading(of state: NowPlayingState, _ context: ScreenContext) -> DisplayedState {
    guard NowPlayingLayout.showsContent(state, context) else { return DisplayedState() }
    var shown = texts(of: state, LocalizedWords(context.language))
    // During a drag, the shown time is the position of the finger and not the elapsed time.
    let elapsed = seconds("elapsed")
    if context.seekPreview == nil { shown.elapsed = elapsed.map { .seconds($0) } }
    shown.duration = seconds("remaining").map { .seconds((elapsed ?? 0) + $0) }
    shown.status = status(of: state)
    readModes(of: state, &shown)
    return shown
  }

  private func texts(of state: NowPlayingState, _ words: LocalizedWords) -> DisplayedState {
    let lines = state.lines
    let (artist, album) = (DisplayText.clean(lines.subtitle), DisplayText.clean(lines.detail))
    func read(_ id: ElementID, _ own: String?, _ expected: String?) -> String {
      let shown = run(id)?.text
      return shown == expected ? own ?? "" : shown ?? ""
    }
    var shown = DisplayedState(
      title: read("title", lines.title, DisplayText.clean(lines.title) ?? words.untitled))
    // During an interruption, the line of the artist names the reason for the interruption.
    if run("artist")?.paint.role != .good {
      // If the track has no artist, this line shows the album. On a small screen the line is then missing.
      let isMissing = artist == nil && run("artist") == nil
      shown.subtitle = read("artist", lines.subtitle, isMissing ? nil : artist ?? album)
    }
    // If there is no room for the album, it is not shown, and the detail is not read.
    if run("album") != nil { shown.detail = read("album", lines.detail, album) }
    return shown
  }

  /// The status that the middle button of the transport shows. Several statuses have the play symbol. If the button
  /// shows the play symbol, and the status of `state` is one of them, the result is this status; otherwise it is
  /// *paused*.
  private func status(of state: NowPlayingState) -> PlaybackStatus? {
    guard case .icon(let icon)? = self["transport.central"]?.content else { return nil }
    if icon.paint.role == .good { return .interrupted }
    switch icon.picture {
    case .symbol(.pause), .symbol(.stop): return .playing
    // If the source offers no command for the middle button, the symbol says nothing about the state.
    case .symbol(.play) where state.transport.central != nil:
      return state.status == .playing || state.isHeld ? .paused : state.status
    default: return nil
    }
  }

  private func readModes(of state: NowPlayingState, _ shown: inout DisplayedState) {
    for (index, button) in state.template.buttons.enumerated() {
      guard case .icon(let icon)? = self[ElementID("custom.\(index)")]?.content else { continue }
      let isOn = self[ElementID("custom.\(index).dot")] != nil
      switch button.kind {
      case .repeat where state.command(.changeRepeatMode) != nil:
        shown.repeatMode = isOn ? icon.picture == .symbol(.repeatOne) ? .one : .all : .off
      case .shuffle where state.command(.changeShuffleMode) != nil: shown.isShuffled = isOn
      default: break
      }
    }
  }

  private func run(_ id: ElementID) -> TextRun? {
    if case .text(let run)? = self[id]?.content { run } else { nil }
  }

  private func seconds(_ id: ElementID) -> Int? { run(id).flatMap { ClockText.seconds($0.text) } }
}

extension NowPlayingState {
  /// True if an interruption or the output silences playback. *Next* and *previous* then do not react, and the central
  /// button only cancels the resume (E4). False while the source resumes: the screen shows the play symbol.
  var isHeld: Bool {
    switch hold {
    case .interruption, .outputLost, .source: true
    case .resuming, nil: false
    }
  }
}
