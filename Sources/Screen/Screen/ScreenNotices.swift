package import NowPlaying
package import ScreenLayout

/// The notices of the header, as a value: one that ends, a standing one, and some that can wait.
package struct ScreenNotices {
  /// The time for which a notice is shown. A newer notice replaces an older notice at once.
  static let noticeTime = Duration.seconds(4)
  /// The time for which a notice about a medium is shown. Its text is longer.
  static let mediumNoticeTime = Duration.seconds(8)
  /// Maximum number of notices that wait until other notices have ended.
  private static let laterLimit = 4

  private var notice: ScreenContext.Notice?
  private var standing: ScreenContext.Notice?
  /// The notices that are shown when no other notice is shown, oldest first.
  private var later: [(symbol: Symbol, text: String)] = []
  /// True if ``notice`` was one of ``later``.
  private var canWait = false

  init() {}

  /// The notice that is shown; nil for none.
  func shown(at now: MonotonicInstant) -> ScreenContext.Notice? {
    notice.flatMap { $0.isShown(at: now) ? $0 : nil } ?? standing
  }

  /// The time at which a notice that can wait follows; nil if none does. While a standing notice is shown, none
  /// follows.
  var nextDeadline: Duration? { later.isEmpty || standing != nil ? nil : notice?.ends?.awake }

  /// Shows a notice in the header for ``noticeTime``.
  package mutating func show(_ symbol: Symbol, _ text: String, at now: MonotonicInstant) {
    putBackNotice(at: now)
    notice = ScreenContext.Notice(symbol, text, until: now.advanced(by: Self.noticeTime))
  }

  /// Shows a standing notice in the header until someone touches the notice. Another notice hides the standing notice
  /// for ``noticeTime``.
  /// - Parameter touch: what a touch does in addition.
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

  /// Drops the notices about media that can wait, because a medium was removed. The notices do not say which medium
  /// they are about.
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

  /// Makes room for a notice that is more important than a notice that can wait.
  private mutating func putBackNotice(at now: MonotonicInstant) {
    if canWait, let notice, notice.isShown(at: now) {
      later.insert((notice.symbol, notice.text), at: 0)
      self.notice = nil
    }
    canWait = false
  }

  /// Shows for ``noticeTime`` what was removed from the queue. A touch on the notice undoes the removal.
  package mutating func showRemoval(
    of title: String, revision: Int, _ words: LocalizedWords, at now: MonotonicInstant
  ) {
    show(.bin, "\(words.menu.undo) · \(title)", at: now)
    notice?.touch = .undo(revision: revision)
  }

  /// Removes the notice about a removal, because the removal is undone.
  mutating func endRemoval() { notice = nil }

  /// Removes the standing notice, because someone has touched it.
  mutating func dismissStanding(at now: MonotonicInstant?) {
    standing = nil
    if let now { showNextLater(at: now) }
  }
}
