public import NowPlaying

/// The texts of the screen in one language. The texts of the content come from the source.
///
/// Each language is a file in `Words`. A text states what happened and, if useful, what the event means or what to do.
/// A text has at most 60 characters. If a name is inserted, such as the name of a phone, this name is not counted. For
/// a notice, 40 characters are better, because a small screen has room for two lines of 20 characters.
public struct LocalizedWords: Hashable, Sendable {
  // MARK: What plays

  /// The button for the list of the next tracks, and the title of this list.
  package let upNext: String
  /// The name of the source that plays the unit's own music.
  package let music: String
  /// The name of the source if it is a radio.
  package let radio: String
  /// Shown instead of an empty title.
  package let untitled: String
  /// Shown instead of the progress bar if the content is live.
  package let live: String
  /// Shown while playback waits for data.
  package let buffering: String
  package let pausedForCall: String
  package let pausedForReversing: String
  package let pausedForAlarm: String
  /// Shown during an interruption that is neither a call, the reverse gear nor an alarm.
  package let pausedBriefly: String
  /// Shown while the output cannot be used.
  package let resuming: String
  package let noOutput: String
  /// The text in a list without rows.
  package let listEmpty: String
  /// The last line of a list that is shortened while the car is not known to be parked.
  package let listLimited: String
  /// Shown below ``listLimited`` while it is unknown whether the car is parked. The text names the setting
  /// `parking-line`, with which the unit can know whether the car is parked.
  package let parkingUnknown: String

  // MARK: Pages without content

  /// The title of the page that is shown if nothing plays.
  package let nothingPlaying: String
  /// Tells the user what to do if nothing plays.
  package let plugIn: String
  /// The title of the page that is shown while the daemon does not answer. The text says that the daemon starts,
  /// because the daemon is restarted automatically.
  package let starting: String
  /// The line below ``starting``.
  package let startingDetail: String
  /// The title of the page if the daemon has not answered for 10 s. The line below this title is ``playerRestarts``,
  /// and after 60 s ``playerStaysAway``.
  package let playerStopped: String
  package let playerRestarts: String
  package let playerStaysAway: String

  // MARK: Phones

  /// The button that permits phones to find this unit.
  package let pairPhone: String
  /// Shown if Bluetooth is on and no phone is connected.
  package let noPhone: String
  package let bluetoothOff: String
  /// Shown instead of an empty name.
  package let unnamedDevice: String
  /// The question of a pairing request, with the name of the device.
  package let pairWith: NamedText
  /// The line above the code of a pairing request.
  package let sameCode: String
  /// Shown instead of ``sameCode`` if the device has no code to show.
  package let pairWithoutCode: String
  /// The button that accepts a pairing request.
  package let pair: String
  /// The button that rejects a pairing request.
  package let cancel: String

  /// The texts of the menu.
  package let menu: Menu
  /// The texts of the pages of settings.
  package let settings: Settings
  /// The messages in the header.
  package let notices: Notices

  /// The messages in the header, in one language.
  package struct Notices: Hashable, Sendable {
    /// The medium with the music that plays was removed.
    package let stickRemoved: String
    /// A medium with music does not answer.
    package let stickSilent: String
    /// A medium has a file system that the unit does not read. The inserted name is the name of the file system.
    package let stickUnsupported: NamedText
    /// A medium has no file system.
    package let stickUnformatted: String
    /// A medium has a file system that cannot be mounted.
    package let stickDamaged: String
    /// A medium has errors when it is read.
    package let stickUnreadable: String
    /// The sound card was removed.
    package let outputGone: String
    /// The sound card is available again.
    package let outputBack: String
    /// The track has no supported format, or is damaged.
    package let cannotPlay: NamedText
    /// The list that was chosen cannot be played.
    package let listFailed: String
    /// One file of a medium cannot be played. The inserted name is the name of its format.
    package let fileUnplayable: NamedText
    /// Several files of a medium cannot be played. The number of files is inserted in place of a name. The formats
    /// follow.
    package let filesUnplayable: NamedText
    /// A medium contains no file that can be played.
    package let noMusic: NamedText
    /// A medium with music was plugged in, and nothing else can play.
    package let stickReady: NamedText
    /// The unit waits for the phone that played when the power was cut.
    package let phoneAwaited: NamedText
    package let phoneAbsent: NamedText
    /// A command was not carried out, for a reason that has no text of its own.
    package let unavailable: String
    /// A line of the configuration was ignored. The inserted name is the name of the file with the number of the line.
    package let configurationWrong: NamedText

    // Reasons why a command was not carried out.
    package let nothingToPlay: String
    package let noLongerThere: String
    package let notWithThisSource: String
    package let speedIsFixed: String
    package let sourceAbsent: String
    package let libraryBusy: String
    package let bluetoothIsOff: String
    package let phoneAway: String
    /// A file of the configuration sets the setting, so the driver cannot change it.
    package let fixedByFile: String
    package let notSaved: String
    /// A phone or another device has connected.
    package let connected: NamedText
    /// A phone or another device has disconnected.
    package let disconnected: NamedText
    /// Phones can find this unit now.
    package let pairingOpen: String
    package let pairingFailed: String
    /// The unit is in safe mode, and a touch starts it normally.
    package let safeMode: String
    /// A command was not carried out, because the unit is in safe mode.
    package let safeModeReason: String
    /// The storage is being checked. New data is lost when the power is switched off.
    package let storageCheck: String
    /// The check of the storage has ended. The storage is used from the next start of the unit on.
    package let storageOK: String
    /// The storage was repaired and is in use. It is possible that some data was lost.
    package let storageRepaired: String
    /// The personal data was erased.
    package let dataErased: String
    /// Some personal data could not be erased.
    package let dataNotErased: String
    /// The storage cannot be written. New data is lost when the power is switched off.
    package let storageError: String
  }
}

extension LocalizedWords.Notices {
  /// The text for files of a medium that cannot be played. The text names the first two formats, and then the number of
  /// the further formats, such as `+2`.
  package func unplayable(_ count: Int, _ formats: [String]) -> String {
    let names = formats.prefix(2).joined(separator: ", ")
    let list = formats.count > 2 ? "\(names) +\(formats.count - 2)" : names
    return count == 1 ? fileUnplayable(list) : filesUnplayable("\(count)") + list
  }
}

/// A text that contains a name, such as the name of a phone.
package struct NamedText: Hashable, Sendable {
  /// The text before the name.
  package let before: String
  /// The text after the name. Can be empty.
  package let after: String

  init(_ before: String, _ after: String = "") {
    self.before = before
    self.after = after
  }

  /// The whole text.
  package func callAsFunction(_ name: String) -> String { before + name + after }
}

extension LocalizedWords {
  /// All languages of the screen, by the first subtag of BCP 47.
  package static let languages: [String: LocalizedWords] = [
    "en": .english, "de": .german, "fr": .french, "ar": .arabic, "he": .hebrew,
  ]

  /// Creates the texts in `language`, or in English if there is no translation.
  public init(_ language: LanguageTag) {
    self = Self.languages[Self.primary(language)] ?? .english
  }

  /// True if the language is written from right to left. Then the screen is mirrored.
  public static func isRightToLeft(_ language: LanguageTag) -> Bool {
    ["ar", "he", "fa", "ur", "ps", "sd", "ug", "yi", "dv", "ckb"].contains(primary(language))
  }

  /// The first subtag. The old tag `iw` of Hebrew is replaced by `he`.
  private static func primary(_ language: LanguageTag) -> String {
    let primary = String(language.description.prefix { $0 != "-" })
    return primary == "iw" ? "he" : primary
  }
}
