package import LibraryModel
package import NowPlaying

/// A request to the daemon, from a page or from a touch. ``ScreenController`` sends it as a call.
package enum ScreenRequest: Equatable, Sendable {
  /// If the command is refused, the screen shows a notice, except when `isSilent` is true.
  case command(CommandRequest, isSilent: Bool)
  /// Jumps to an item of Up Next or of the album.
  case playItem(String)
  /// Requests the page of the artist with this name. If the name is nil, or if the library has no artist with this
  /// name, requests the album that plays.
  case artist(String?)
  case answerPairing(isAccepted: Bool)
  case pairPhone
  case endSafeMode

  // MARK: The library

  /// Asks the library. The model receives the answer with the same number.
  case askLibrary(Int, LibraryQuestion)
  /// Plays a list from its beginning, or from one of its rows.
  case playList(TrackList, RowReference?, PlayMode)

  // MARK: The queue

  /// Asks for a part of the queue. The model receives the answer with the same number.
  case askQueue(Int, QueuePage.Question)
  /// Moves an entry of the queue before the entry `before`, or to the end of the queue if `before` is nil.
  case moveEntry(Int, before: Int?, revision: Int)
  /// Removes an entry from the queue. The screen then shows its title in a notice.
  case removeEntry(Int, title: String, revision: Int)
  case undoEdit(revision: Int)

  // MARK: Sources, by their identities

  /// Plays a source from the position at which it was left.
  case chooseSource(String)
  /// Reads all files of a source again.
  case readSourceAnew(String)
  /// Removes an absent source from the library.
  case forgetSource(String)

  // MARK: Phones, by their addresses

  case connectPhone(String)
  case disconnectPhone(String)
  /// Makes a phone the first choice. With an empty address, no phone is the first choice.
  case setFirstChoice(String)
  case forgetPhone(String)
  /// Pairs with a device that was found.
  case addPhone(String)
  /// Permits pairing for some time, and searches for remote controls.
  case findPhones
  /// Ends the permission for pairing, and the search.
  case stopFindingPhones

  // MARK: Settings, and the unit

  case set(key: String, value: String)
  /// Changes the clock by this number of seconds.
  case changeTime(seconds: Int)
  case readVersions
  /// Runs the checks, and reads the space of the storage.
  case runChecks
  /// Erases the personal data, and restarts the machine.
  case erasePersonalData
}
