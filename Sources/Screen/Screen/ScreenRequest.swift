package import LibraryModel
package import NowPlaying

/// What a page, or a touch on it, asks the daemon for. ``ScreenController`` makes a call of it.
package enum ScreenRequest: Equatable, Sendable {
  /// If the command is refused, the screen shows a notice, except when `isSilent` is true.
  case command(CommandRequest, isSilent: Bool)
  /// Jumps to an item of Up Next or of the album.
  case playItem(String)
  /// Requests the artist with this name, or the rows of the album that plays if the library has no such artist.
  case artist(String?)
  case answerPairing(isAccepted: Bool)
  case pairPhone
  case endSafeMode

  // MARK: The library

  /// The number belongs to the answer.
  case askLibrary(Int, LibraryQuestion)
  /// Plays a list, or one of its rows and what follows.
  case playList(TrackList, RowReference?, PlayMode)

  // MARK: The queue

  /// Asks for a part of the queue. The number belongs to the answer.
  case askQueue(Int, QueuePage.Question)
  /// Moves an entry before another one; nil for the end.
  case moveEntry(Int, before: Int?, revision: Int)
  /// Removes the entry with this title.
  case removeEntry(Int, title: String, revision: Int)
  case undoEdit(revision: Int)

  // MARK: Sources, by their identities

  /// Plays a source, where it was left.
  case chooseSource(String)
  /// Reads all files again.
  case readSourceAnew(String)
  /// Removes an absent source from the library.
  case forgetSource(String)

  // MARK: Phones, by their addresses

  case connectPhone(String)
  case disconnectPhone(String)
  /// Makes a phone the first choice; an empty address for none.
  case setFirstChoice(String)
  case forgetPhone(String)
  /// Pairs with a device that was found.
  case addPhone(String)
  /// Permits pairing for some time, and searches for remote controls.
  case findPhones
  /// Ends the permission and the search.
  case stopFindingPhones

  // MARK: Settings, and the unit

  case set(key: String, value: String)
  /// Sets the clock by this many seconds.
  case changeTime(seconds: Int)
  case readVersions
  /// Runs the checks, and reads the space of the storage.
  case runChecks
  /// Erases the personal data, and restarts the machine.
  case erasePersonalData
}
