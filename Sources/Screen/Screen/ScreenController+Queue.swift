internal import Control
internal import NowPlaying
internal import Reports
internal import SystemClock

// Questions about the queue, and its edits.
extension ScreenController {
  func ask(_ question: QueuePage.Question, _ number: Int) {
    switch question {
    case .rows(let first, let limit):
      client.call(Library1.getQueue, QueuePart(first: first, limit: limit)) { [weak self] in
        self?.answered(number, $0.map { .rows($0) })
      }
    case .parts(let heading):
      client.call(Library1.getLetters, LettersRequest(.queue, under: heading)) { [weak self] in
        self?.answered(number, $0.map { .parts($0) })
      }
    }
  }

  private func answered(_ number: Int, _ result: Result<QueuePage.Answer, ControlError>) {
    sendRequests(model.receive((try? result.get()) ?? .failed, number: number))
    paintSoon()
  }

  func send(_ edit: ScreenPages.QueueEdit, _ revision: Int) {
    switch edit {
    case .move(let entry, let other):
      client.call(Library1.moveQueueItem, QueueMove(entry, before: other, revision: revision)) {
        [weak self] in
        self?.edited($0)
      }
    case .remove(let entry, let title):
      client.call(Library1.removeQueueItem, QueueRemoval(entry, revision: revision)) {
        [weak self] result in
        if case .success = result { self?.removed(title) }
        self?.edited(result)
      }
    case .undo: client.call(Library1.undoQueue, revision) { [weak self] in self?.edited($0) }
    }
  }

  /// Shows what was removed. *Undo* needs the revision of the queue after the removal.
  private func removed(_ title: String) {
    client.call(Library1.getQueue, QueuePart(first: 0, limit: 1)) { [weak self] result in
      guard let self, case .success(let report) = result, report.canUndo else { return }
      model.notices.showRemoval(
        of: title, revision: report.revision, model.words, at: .now())
      paintSoon()
    }
  }

  /// An edit that came too late, because the queue has changed, is refused. Then the page shows the queue
  /// as it is.
  private func edited(_ result: Result<Void, ControlError>) {
    noteRefusal(result)
    sendRequests(model.pages.refresh())
    paintSoon()
  }
}
