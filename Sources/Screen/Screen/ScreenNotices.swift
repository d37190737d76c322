package import NowPlaying
package import ScreenLayout

/// The notices of the header, as a value: one notice that ends after some seconds, one standing notice, and notices
/// that can wait.
package struct ScreenNotices {
  /// The time for which a notice is shown. A newer notice replaces an older notice at once.
  static let noticeTime = Duration.seconds(4)
  /// The time for which a notice that offers *Undo* is shown: a driver must read it and touch it.
  static let undoTime = Duration.seconds(10)
  /// The time for which a notice about a medium is shown. The text is longer than the text of other notices, so reading
  /// takes more time.
  static let mediumNoticeTime = Duration.seconds(8)
  /// Maximum number of notices that wait until other notices have ended.
  private static let laterLimit = 4

  private var notice: ScreenContext.Notice?
  private var standing: ScreenContext.Notice?
  /// The notices that are shown when no other notice is shown, oldest first.
  private var later: [(symbol: Symbol, text: String)] = []
  /// True if ``notice`` was taken from ``later``.
  private var canWait = false

  init() {}

  /// The notice that is shown. Nil if no notice is shown.
  func shown(at now: MonotonicInstant) -> ScreenContext.Notice? {
    notice.flatMap { $0.isShown(at: now) ? $0 : nil } ?? standing
  }

  /// The time at which the next notice of ``later`` is shown. Nil if ``later`` is empty, or if there is a standing
  /// notice.
  var nextDeadline: Duration? { later.isEmpty || standing != nil ? nil : notice?.ends?.awake }

  /// Shows a notice in the header for ``noticeTime``.
  package mutating func show(_ symbol: Symbol, _ text: String, at now: MonotonicInstant) {
    show(symbol, text, for: Self.noticeTime, at: now)
  }

  private mutating func show(
    _ symbol: Symbol, _ text: String, for time: Duration, at now: MonotonicInstant
  ) {
    putBackNotice(at: now)
    notice = ScreenContext.Notice(symbol, text, until: now.advanced(by: time))
  }

  /// Shows a standing notice in the header until the user touches the notice. Another notice hides the standing notice
  /// for ``noticeTime``.
  /// - Parameter touch: the action of a touch, in addition to removing the notice.
  package mutating func showStanding(
    _ symbol: Symbol, _ text: String, touch: ScreenAction? = nil, at now: MonotonicInstant
  ) {
    putBackNotice(at: now)
    standing = ScreenContext.Notice(symbol, text, until: nil)
    standing?.touch = touch
  }

  /// Shows a notice for ``mediumNoticeTime`` when no other notice is shown, so that it hides no notice that is more
  /// important.
  /// - Parameter now: nil if no picture is shown yet. Then ``showNextLater(at:)`` shows the notice.
  package mutating func showLater(_ symbol: Symbol, _ text: String, at now: MonotonicInstant?) {
    if later.count < Self.laterLimit { later.append((symbol, text)) }
    if let now { showNextLater(at: now) }
  }

  /// Drops the notices about media that can wait, because a medium was removed. All of these notices are dropped,
  /// because a notice does not contain the identity of its medium.
  package mutating func dropLaterNoticesOfMedia() {
    later.removeAll { $0.symbol == .stick }
    guard canWait, notice?.symbol == .stick else { return }
    notice = nil
    canWait = false
  }

  /// Shows the next notice that can wait, if no other notice is shown.
  package mutating func showNextLater(at now: MonotonicInstant) {
    guard standing == nil, notice?.isShown(at: now) != true, !later.isEmpty else {
      return
    }
    canWait = true
    let (symbol, text) = later.removeFirst()
    notice = ScreenContext.Notice(symbol, text, until: now.advanced(by: Self.mediumNoticeTime))
  }

  /// Makes room for a more important notice: if the shown notice can wait, it is shown again later.
  private mutating func putBackNotice(at now: MonotonicInstant) {
    if canWait, let notice, notice.isShown(at: now) {
      later.insert((notice.symbol, notice.text), at: 0)
      self.notice = nil
    }
    canWait = false
  }

  /// Offers *Undo* for ``undoTime``.
  /// - Parameter title: the title of an entry that was removed from the queue, or of a list that has replaced it.
  package mutating func showUndo(
    _ symbol: Symbol, _ title: String, revision: Int, _ words: LocalizedWords,
    at now: MonotonicInstant
  ) {
    let text = title.isEmpty ? words.menu.undo : "\(words.menu.undo) · \(title)"
    show(symbol, text, for: Self.undoTime, at: now)
    notice?.touch = .undo(revision: revision)
  }

  /// Removes the notice that offers *Undo*, because the user has touched it.
  mutating func endUndo() { notice = nil }

  /// Removes the standing notice, because the user has touched it.
  mutating func dismissStanding(at now: MonotonicInstant?) {
    standing = nil
    if let now { showNextLater(at: now) }
  }
}
