extension LocalizedWords {
  /// The texts of the menu, in one language.
  package struct Menu: Hashable, Sendable {
    // MARK: Tabs. A tab has room for about eight letters.

    package let library: String
    package let phone: String
    package let sources: String
    package let settings: String

    // MARK: Keys

    package let play: String
    package let shuffle: String
    /// The key that adds a phone or a remote control.
    package let add: String
    /// The key that returns from the rows to the letters.
    package let allLetters: String
    /// The key of the search that types a space between two words.
    package let space: String

    // MARK: Lists

    package let artists: String
    package let albums: String
    package let songs: String
    package let genres: String
    package let folders: String
    package let playlists: String
    package let favourites: String
    package let bookmarks: String
    package let recentlyAdded: String
    package let search: String
    /// Shown in the field of the search before the first letter.
    package let searchHint: String
    package let nothingFound: String

    // MARK: Kinds of rows, for the results of a search

    package let artist: String
    package let album: String
    package let song: String
    package let genre: String
    package let playlist: String
    package let folder: String

    // MARK: Lines

    package let songCount: CountedText
    package let albumCount: CountedText
    /// The number of the shown page of a list, and the number of all pages.
    package let page: PageText
    package let variousArtists: String
    package let unknownArtist: String
    /// Shown in a row whose medium is absent.
    package let notPluggedIn: String
    /// Shown while the library reads files. The number of files that were read and the number of all files follow.
    package let reading: String
    package let muted: String

    // MARK: Sources

    /// The name of the unit's own music folders.
    package let builtIn: String
    package let waits: String
    package let cannotBeRead: String
    /// Tells the user what to do with a stick that cannot be read.
    package let copyAgain: String
    package let nothingOnIt: String
    /// Shown for a stick for which the library has no room.
    package let noRoom: String
    package let comesBack: String
    /// Stands before the name of an app on a phone.
    package let plays: String
    package let connected: String
    package let notConnected: String
    /// The kind of a device that only sends keys.
    package let remote: String

    /// The title of the progress bar while the unit reads a stick.
    package let readingTitle: String
    package let playsAlready: String
    package let canBePulled: String
    package let cannotBePlayed: CountedText
    package let readAnew: String
    package let stick: String
    package let damaged: String
    package let protected: String
    package let otherFormat: String
    package let outsideLink: String

    // MARK: Up Next

    package let playNext: String
    package let remove: String
    /// Stands before the title of an entry that was removed from the queue, or of a list that has replaced the queue. A
    /// touch undoes this.
    package let undo: String

    // MARK: A phone. Below the title of each key, a line names the effect of the key.

    package let playLine: String
    package let connect: String
    package let connectLine: String
    package let disconnect: String
    package let disconnectLine: String
    package let firstChoice: String
    package let firstChoiceLine: String
    package let forget: String
    package let forgetLine: String
    package let forgetQuestion: NamedText
    package let forgetDetail: String
    /// The effect of forgetting a stick.
    package let forgetStickDetail: String
    package let keep: String
    package let noPhoneYet: String
    package let noPhoneDetail: String
    package let addPhone: String

    // MARK: Adding a phone or a remote control

    package let onYourPhone: String
    package let openBluetooth: String
    package let sameDigits: String
    /// Stands before the time for which phones can still find the unit.
    package let openFor: String
    package let permitAgain: String
    package let foundNearby: String
    package let searching: String
    package let isNoRemote: String
    package let pairs: String

    // MARK: Pages without rows

    package let noMusic: String
    package let noMusicDetail: String
    /// Shown if the library does not answer.
    package let unavailable: String
    package let unavailableDetail: String
    package let emptyList: String
    package let emptyArtists: String
    package let emptyGenres: String
    package let emptyFolder: String
    /// Of a playlist on a stick.
    package let emptyPlaylist: String
    /// Of a playlist of the unit.
    package let emptyOwnList: String
    package let emptyFavourites: String
    package let emptyBookmarks: String
  }
}

/// The number of a page, with the number of all pages.
package struct PageText: Hashable, Sendable {
  private let word: String
  private let of: String

  init(_ word: String, _ of: String) {
    self.word = word
    self.of = of
  }

  package func callAsFunction(_ page: Int, _ pages: Int) -> String {
    "\(word) \(page) \(of) \(pages)"
  }
}

/// A text with a number.
package struct CountedText: Hashable, Sendable {
  /// The forms of a text for different numbers, as a language needs them. `#` stands for the number.
  private enum Forms: Hashable {
    /// A form for 1, and a form for all other numbers.
    case two(one: String, other: String)
    /// Forms for 1, for 2, for 3 to 10, and for all other numbers, as in Arabic.
    case four(one: String, two: String, few: String, many: String)
  }

  private let forms: Forms
  /// True if the form for one also stands for zero.
  private let isOneForZero: Bool

  init(one: String, other: String, isOneForZero: Bool = false) {
    forms = .two(one: one, other: other)
    self.isOneForZero = isOneForZero
  }

  init(one: String, two: String, few: String, many: String) {
    forms = .four(one: one, two: two, few: few, many: many)
    isOneForZero = false
  }

  /// The text with this number.
  package func callAsFunction(_ count: Int) -> String {
    let form: String =
      switch forms {
      case .two(let one, let other):
        count == 1 || (count == 0 && isOneForZero) ? one : other
      case .four(let one, let two, let few, let many):
        switch count {
        case 1: one
        case 2: two
        default: (3...10).contains(count % 100) ? few : many
        }
      }
    guard let index = form.firstIndex(of: "#") else { return form }
    return form[..<index] + "\(count)" + form[form.index(after: index)...]
  }
}

extension LocalizedWords.Menu {
  func tab(_ tab: MenuPage.Tab) -> String {
    switch tab {
    case .library: library
    case .phone: phone
    case .sources: sources
    case .settings: settings
    }
  }
}
