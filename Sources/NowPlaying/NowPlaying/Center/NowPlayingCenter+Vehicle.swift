// What the car and its people do to the head unit.
extension NowPlayingCenter {
  /// Something silences what plays (E4). Interruptions nest.
  /// - Returns: by what it is ended.
  public func beginInterruption(_ reason: Interruption.Reason, at now: MonotonicInstant) -> Int {
    change(at: now) { interruptions.begin(reason, at: now) }
  }

  /// An interruption ends. When the last one does, what was playing goes on by itself, unless one
  /// of them said that it should not, or somebody paused meanwhile (E4). False if it was not going
  /// on.
  @discardableResult
  public func endInterruption(_ id: Int, shouldResume: Bool, at now: MonotonicInstant) -> Bool {
    change(at: now) {
      guard interruptions.end(id) != nil else { return false }
      if !shouldResume { forgetIntents(except: nil) }
      return true
    }
  }

  /// Sets the volume as a whole, for instance after it was restored.
  public func setVolume(_ volume: Volume, at now: MonotonicInstant) {
    change(at: now) { self.volume = volume }
  }

  /// Changes the language that texts are chosen for (P9).
  public func setLanguage(_ language: LanguageTag, at now: MonotonicInstant) {
    change(at: now) { self.language = language }
  }
}
