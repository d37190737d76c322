package import NowPlaying

/// The template that an app sets. It can have more buttons than a screen shows (T2).
package struct AppTemplate: Equatable {
  /// The buttons, from the leading to the trailing end.
  package var buttons: [TemplateState.Button]
  package var upNext: TemplateState.UpNext
  package var isAlbumArtistEnabled: Bool

  package init(
    buttons: [TemplateState.Button] = [], upNext: TemplateState.UpNext = .off,
    isAlbumArtistEnabled: Bool = false
  ) {
    self.buttons = buttons
    self.upNext = upNext
    self.isAlbumArtistEnabled = isAlbumArtistEnabled
  }
}

extension NowPlayingButton {
  /// The button of an app. The head unit itself carries out a tap on a button with a command; other taps go to the app.
  init(_ button: TemplateState.Button, _ tap: @escaping MediaCommand.Handler) {
    let made: NowPlayingButton =
      switch button.kind {
      case .image(let name): .image(name, isSelected: button.isSelected, tap)
      case .addToLibrary: .addToLibrary(tap)
      case .more: .more(tap)
      case .shuffle: .shuffle()
      case .repeat: .repeat()
      case .playbackRate: .playbackRate()
      case .stars: .stars()
      }
    self = made.enabled(button.isEnabled)
  }
}
