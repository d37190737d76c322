package import LibraryModel
package import NowPlaying
package import Reports

/// A command that the console sends to its ``ConsoleBackend``, usually the daemon.
package enum ConsoleCommand: Hashable, Sendable {
  /// A part of the state of Now Playing. A command such as `volume` shows this part if it has no argument.
  package enum Part: String, Hashable, Sendable, CaseIterable {
    case volume, rate, repeatMode, shuffleMode, stars
  }

  /// The checks that `diagnose` runs, and the results that it shows.
  package enum Diagnosis: Hashable, Sendable {
    /// Runs all checks. Shows the fault that should be repaired first.
    case summary
    /// Runs all checks, and shows all results.
    case details
    /// Walks one branch of the decision tree.
    case symptom(DecisionTree.Symptom)
    /// Runs only the checks of the parts that a driver complains about.
    case complaint(Complaint)
  }

  /// The beginning or the end of a hold: an interruption or a duck of the sound.
  package enum HoldChange: Hashable, Sendable {
    /// Begins a hold that ends by itself after this time. Nil means the standard time.
    case begin(for: Duration?)
    case end(shouldResume: Bool)
  }

  /// An action on the record of the last commands and events (``CommandTrace``).
  package enum Trace: String, Hashable, Sendable {
    /// Shows the recorded entries.
    case show
    /// From now on, shows each new entry, until `off`.
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
    /// Sets the phone to which the unit connects first. Nil if no phone is preferred.
    case first(_ phone: String?)
    case connect(_ phone: String)
    case disconnect(_ phone: String)
  }

  /// An entry of the library that the user has chosen.
  package struct Entry: Hashable, Sendable {
    package let row: RowReference
    package let title: String
    /// The entry in words, for the reply.
    package let words: String

    /// Creates the entry of a row.
    package init(_ row: LibraryRow) {
      self.row = RowReference(kind: row.kind, id: row.id)
      title = row.title
      words = row.words
    }
  }

  /// A query of the library, or an action on its volumes (sticks and folders with music). A volume is identified by its
  /// name.
  package enum Library: Hashable, Sendable {
    /// Shows the volumes and the number of songs.
    case show
    /// Searches a volume for new and changed files. Nil means all volumes.
    case scan(String?)
    case readAnew(String)
    /// Lists doubtful tags and playlists.
    case check
    case forget(String)
    /// Shows a list of the library. If a text is given, shows the rows under the heading with these letters, or the
    /// list of the entry with this name.
    case list(LibraryNode, String?, isWhole: Bool)
    case folders(String?)
    case find(String)
    /// Plays a list, or the best hit of a search.
    case play(String, PlayMode)
    /// Plays an entry.
    case playEntry(Entry, PlayMode)
    /// Plays a volume or a phone from the position at which it last stopped.
    case choose(String)
    /// Shows the lists that played before the present list.
    case recent
    /// Resumes a list that the command `recent` shows. The value is the number of the row of this list, from 1.
    case resume(Int)
  }

  /// A query or an edit of the queue. Entries have the numbers that the command `queue` shows, from 1.
  package enum Queue: Hashable, Sendable {
    /// Shows the queue, starting with this entry. Nil to start with the current entry.
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

  /// A change of a playlist of the unit. A playlist is identified by its name.
  package enum Playlist: Hashable, Sendable {
    /// Adds the best hit of a search for this text. Nil to add what plays now. `again` is true to add also a song that
    /// the playlist contains already.
    case add(String?, to: String, again: Bool)
    case addEntry(Entry, to: String, again: Bool)
    /// Removes the song with this number. The command `playlist` shows the numbers, from 1.
    case remove(Int, from: String)
    case rename(String, to: String)
    case delete(String)
  }

  /// A query of the log.
  package enum Log: Hashable, Sendable {
    /// The part of the unit whose lines are shown.
    package enum Topic: String, Hashable, Sendable, CaseIterable {
      case kernel, screen, bluetooth, sticks, library
    }

    /// Shows the last lines, and each new line until the command is cancelled.
    case follow
    /// Shows the last lines of this run of the machine. Nil for a topic means all parts of the unit.
    case last(Int, Topic?)
    /// Shows the lines that contain a text. Case is ignored.
    case search(String, Topic?)
    /// Lists the kept logs of earlier runs, and shows one of them. The newest log has the number 1.
    case kept(Int)

    /// The number of lines if the user gives none.
    package static let usualLines = 200
  }

  /// An action on the services of the image.
  package enum Service: Hashable, Sendable {
    case list
    /// Shows the state of a service and its last lines.
    case one(String)
    case restart(String)
    /// Shows the last lines of a service.
    case log(String)
  }

  /// An action on the time of day.
  package enum Clock: Hashable, Sendable {
    case show
    /// Sets the time of day in the time zone of the unit: `14:05` or `2026-11-30 14:05`.
    case set(String)
  }

  /// An action on a stick. A stick is identified by its name or its device. Nil means the only stick that is mounted.
  package enum Stick: Hashable, Sendable {
    /// Reads files of the stick, and measures the speed.
    case test(String?)
    case remount(String?)
    /// Writes the report to the stick.
    case report(String?)
  }

  /// An action on the settings.
  package enum Config: Hashable, Sendable {
    /// Shows all settings and the sources of their values.
    case show
    /// Shows one setting with its permitted values.
    case one(_ key: String)
    /// Moves a damaged file of the driver's settings away.
    case repair
    case set(_ key: String, to: String)
    /// Removes the value that the driver has set.
    case reset(_ key: String)
  }

  /// An action on the unit's storage, `/data`.
  package enum Storage: Hashable, Sendable {
    /// Shows the state of the storage and the result of the last repair.
    case check
    /// Erases the storage: makes a new file system.
    /// - Parameter isForced: true to format the storage even if it has no fault.
    case format(isForced: Bool)
    /// Erases the personal data, and restarts the machine.
    case erase
  }

  /// Shows an overview of the unit on one screen.
  case status
  /// Shows the current content and its playback.
  case now
  /// Shows one part of the state.
  case part(Part)
  /// A command of a surface, see ``CommandRequest``.
  case request(CommandRequest)
  case queue(Queue)
  case playlist(Playlist)
  case diagnose(Diagnosis)
  case testSound
  case audio
  case bluetooth(Bluetooth)
  case library(Library)
  case latency
  case trace(Trace)
  case log(Log)
  case service(Service)
  case clock(Clock)
  case stick(Stick)
  /// Shows the space that the folders of the storage use, and what can be deleted. If `deletes` is true, deletes it.
  case freeSpace(deletes: Bool)
  case keys
  /// Shows what is connected to the display, and what the screen shows.
  case screen
  /// Shows the devices that the kernel sees.
  case devices
  /// Shows the memory and the load of the machine and of its services.
  case top
  /// Collects everything that a developer needs.
  case report
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

  /// True for commands that need the password of the console: they erase something that cannot be made again, or open a
  /// shell.
  var needsPassword: Bool {
    switch self {
    case .data(.erase), .data(.format), .bluetooth(.forget), .shell: true
    default: false
    }
  }

  /// True for commands without a time limit. These commands show their progress themselves.
  var isLong: Bool {
    switch self {
    case .log(.follow), .log(.search), .data(.format), .service(.restart), .stick,
      .freeSpace, .report:
      true
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
