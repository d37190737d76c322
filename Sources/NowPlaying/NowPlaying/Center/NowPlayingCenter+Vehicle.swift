// Events from the car and from the people in it.
extension NowPlayingCenter {
  /// Begins an interruption, which silences what plays (E4). Interruptions may overlap.
  /// - Returns: the number for ``endInterruption(_:shouldResume:at:)``.
  public func beginInterruption(_ reason: Interruption.Reason, at now: MonotonicInstant) -> Int {
    change(at: now) { interruptions.begin(reason, at: now) }
  }

  /// Ends an interruption. When the last interruption ends, playback resumes by itself, unless one
  /// of the interruptions ended with `shouldResume` false, or playback was paused meanwhile (E4).
  /// Returns false if no current interruption has this number.
  @discardableResult
  public func endInterruption(_ id: Int, shouldResume: Bool, at now: MonotonicInstant) -> Bool {
    change(at: now) {
      guard interruptions.end(id) != nil else { return false }
      if !shouldResume { forgetIntents(except: nil) }
      return true
    }
  }

  /// Sets the complete volume, for example after it was restored.
  public func setVolume(_ volume: Volume, at now: MonotonicInstant) {
    change(at: now) { self.volume = volume }
  }

  /// Changes the language that texts are chosen for (P9).
  public func setLanguage(_ language: LanguageTag, at now: MonotonicInstant) {
    change(at: now) { self.language = language }
  }
}
