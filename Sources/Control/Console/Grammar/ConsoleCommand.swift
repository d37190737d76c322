package import LibraryModel
package import NowPlaying
package import Reports

/// A command for the daemon or another backend.
package enum ConsoleCommand: Hashable, Sendable {
  /// A part of the state, which a command such as `volume` shows if the command has no argument.
  package enum Part: String, Hashable, Sendable, CaseIterable {
    case volume, rate, repeatMode, shuffleMode, stars
  }

  /// What `diagnose` checks and shows.
  package enum Diagnosis: Hashable, Sendable {
    /// Checks everything. Shows the fault that a person should repair first.
    case summary
    /// Checks everything, and shows all of it.
    case details
    /// Walks one branch of the decision tree.
    case symptom(DecisionTree.Symptom)
    /// The checks of phones.
    case phones
  }

  /// The begin or the end of an interruption or a duck.
  package enum HoldChange: Hashable, Sendable {
    /// The hold ends after the time; nil for the standard time.
    case begin(for: Duration?)
    case end(shouldResume: Bool)
  }

  /// An action on the trace.
  package enum Trace: String, Hashable, Sendable {
    /// Shows the kept entries.
    case show
    /// Shows each entry when it arrives, until `off`.
    case on
    case off
  }

  /// An action on phones. A phone is identified by its address or its name.
  package enum Bluetooth: Hashable, Sendable {
    /// Shows all facts about Bluetooth.
    case show
    case phones
    /// - Parameter seconds: nil for the configured time.
    case pair(seconds: Int?)
    case endPairing
    /// Searches for devices that can be added.
    /// - Parameter seconds: nil for the configured time.
    case find(seconds: Int?)
    /// Pairs with a device that was found.
    case add(_ device: String)
    /// Accepts or rejects the pending pairing request.
    case answer(accepts: Bool)
    case rename(_ phone: String, _ name: String)
    case forget(_ phone: String)
    /// The phone to which the unit connects first. Nil if there is none.
    case first(_ phone: String?)
    case connect(_ phone: String)
    case disconnect(_ phone: String)
  }

  /// An entry of the library that a person has chosen.
  package struct Entry: Hashable, Sendable {
    package let row: RowReference
    package let title: String
    /// The entry in words, for the reply.
    package let words: String

    /// The entry of a row.
    package init(_ row: LibraryRow) {
      self.row = RowReference(kind: row.kind, id: row.id)
      title = row.title
      words = row.words
    }
  }

  /// A question to the library, or an action on its volumes. A volume is identified by its name.
  package enum Library: Hashable, Sendable {
    /// The volumes and the number of songs.
    case show
    /// Looks for new and changed files. Nil for all volumes.
    case scan(String?)
    case readAnew(String)
    /// What is doubtful in tags and playlists.
    case check
    case forget(String)
    /// A list; with a text, the rows below these letters, or the entry with this name.
    case list(LibraryNode, String?, isWhole: Bool)
    case folders(String?)
    case find(String)
    /// Plays a list, or the best hit of a search.
    case play(String, PlayMode)
    /// Plays an entry.
    case playEntry(Entry, PlayMode)
    /// Plays a volume or a phone where it was left.
    case choose(String)
    /// The lists that were left.
    case recent
    /// Plays one of the lists that were left. The number is that of its row, from 1.
    case resume(Int)
  }

  /// A question about the queue, or an edit. The number of an entry is one that `queue` shows, from 1.
  package enum Queue: Hashable, Sendable {
    /// The queue from an entry on. Nil for the current entry.
    case show(from: Int?)
    case play(Int)
    case remove(Int)
    /// Moves an entry to another position.
    case move(Int, to: Int)
    case clear
    case undo
    /// Saves the queue as a playlist.
    case save(String)
  }

  /// A change of a playlist of the unit. A list is identified by its name.
  package enum Playlist: Hashable, Sendable {
    /// Adds the best hit of a search. Nil for what plays.
    case add(String?, to: String)
    case addEntry(Entry, to: String)
    /// Removes the song with a number that `playlist` shows, from 1.
    case remove(Int, from: String)
    case rename(String, to: String)
    case delete(String)
  }

  /// An action on the settings.
  package enum Config: Hashable, Sendable {
    /// All settings and their sources.
    case show
    case set(_ key: String, to: String)
    /// Removes the value that the driver has set.
    case reset(_ key: String)
  }

  /// An action on the unit's storage, `/data`.
  package enum Storage: Hashable, Sendable {
    /// Shows the state of the storage and the result of the last repair.
    case check
    /// Makes the storage empty.
    /// - Parameter isForced: true to format the storage even if it has no fault.
    case format(isForced: Bool)
    /// Erases the personal data, and restarts the machine.
    case erase
  }

  /// A summary on one screen.
  case status
  /// The current content and its playback.
  case now
  /// The value of one part of the state.
  case part(Part)
  /// A command of a surface, see ``CommandRequest``.
  case request(CommandRequest)
  case queue(Queue)
  case playlist(Playlist)
  case diagnose(Diagnosis)
  case audio
  case bluetooth(Bluetooth)
  case library(Library)
  case latency
  case trace(Trace)
  /// The log. With `follows`, each new line is shown too, until the command is cancelled.
  case log(follows: Bool)
  case keys
  case boot
  case storage
  case version
  case config(Config)
  case chime
  /// Ends safe mode.
  case retry
  case hold(SoundHold, HoldChange)
  case data(Storage)
  case reboot
  case poweroff
  /// Starts a shell, if the configuration permits shells.
  case shell

  /// True for commands without a time limit. These commands show their progress themselves.
  var isLong: Bool {
    switch self {
    case .log(follows: true), .data(.format): true
    default: false
    }
  }
}

/// The meaning of an input line.
package enum ConsoleLine: Hashable, Sendable {
  /// A blank line.
  case nothing
  case help(command: String?)
  case quit
  /// - Parameter isConfirmed: true if `--yes` was given.
  case command(ConsoleCommand, isConfirmed: Bool = false)
}
