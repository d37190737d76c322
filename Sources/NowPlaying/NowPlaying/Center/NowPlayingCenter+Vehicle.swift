// Events from the car and from the people in it.
extension NowPlayingCenter {
  /// Begins an interruption, which silences what plays (E4). Interruptions can overlap.
  /// - Returns: the number for ``endInterruption(_:shouldResume:at:)``.
  public func beginInterruption(_ reason: Interruption.Reason, at now: MonotonicInstant) -> Int {
    change(at: now) { interruptions.begin(reason, at: now) }
  }

  /// Ends an interruption. When no interruption is left, playback resumes by itself (E4). There are
  /// two exceptions: a person has paused during the interruption, or one of the interruptions ended
  /// with `shouldResume` false. If a person pressed play during the interruption, `shouldResume`
  /// has no effect. Returns false if no current interruption has this number.
  @discardableResult
  public func endInterruption(_ id: Int, shouldResume: Bool, at now: MonotonicInstant) -> Bool {
    change(at: now) {
      guard interruptions.end(id) != nil else { return false }
      if !shouldResume { forgetIntents(except: nil) }
      return true
    }
  }

  /// Replaces the whole ``Volume``, for example with the volume that was saved.
  public func setVolume(_ volume: Volume, at now: MonotonicInstant) {
    change(at: now) { self.volume = volume }
  }

  /// Changes the language of the people. Texts are chosen for this language (P9).
  public func setLanguage(_ language: LanguageTag, at now: MonotonicInstant) {
    change(at: now) { self.language = language }
  }
}
