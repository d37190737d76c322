package import NowPlaying

extension LocalizedWords.Notices {
  /// The text that the driver reads if a command was refused: the cause, and what to do. If a code has no text of its
  /// own, the text is ``unavailable``.
  ///
  /// In this module the codes of refusals are strings, because most of them are defined in modules that this module
  /// does not import. docs/control.md lists them.
  package func text(of refusal: Refusal?) -> String {
    switch refusal?.code.rawValue {
    // A program that is a source knows the language of the screen, and writes for the driver.
    case "source-waits", "source-failed":
      [refusal?.sentence, refusal?.remedy].compactMap(\.self).joined(separator: " · ")
    case "nothing-playing": nothingToPlay
    case "no-such-content", "no-such-item", "queue-changed", "no-such-playlist", "no-such-phone",
      "no-such-source":
      noLongerThere
    case "not-offered", "live-content", "unsupported-value", "button-disabled": notWithThisSource
    case "fixed-speed": speedIsFixed
    case "source-absent": sourceAbsent
    case "library-unavailable", "no-library": libraryBusy
    case "safe-mode": safeModeReason
    case "no-bluetooth", "no-system-bus", "no-bluetoothd", "no-adapter": bluetoothIsOff
    case "phone-not-connected": phoneAway
    case "setting-fixed": fixedByFile
    case "settings-not-saved", "playlists-not-saved": notSaved
    default: unavailable
    }
  }
}
