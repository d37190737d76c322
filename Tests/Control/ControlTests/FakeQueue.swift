import Control
import LibraryModel
import NowPlaying
import Reports
import SystemClock

/// A fake queue. It records the requests in `done`.
final class FakeQueue: ControlledQueue, ListOwner {
  var done: [String] = []
  var refusal: Refusal?
  var full = FakeQueue.report

  /// A report in which no field has its default value.
  static var report: QueueReport {
    var report = QueueReport()
    report.revision = 7
    report.count = 90
    report.absent = 2
    report.position = 31
    report.first = 30
    report.list = "album:1f"
    report.title = "Ágætis byrjun"
    report.isShuffled = true
    report.canUndo = true
    report.entries = (0..<3).map { number in
      var entry = QueueReport.Entry(id: 100 + number, title: "Track \(number)")
      entry.artist = "Sigur Rós"
      entry.album = "Ágætis byrjun"
      entry.duration = .milliseconds(61_500)
      entry.isAbsent = number == 1
      return entry
    }
    return report
  }

  func report(first: Int, limit: Int) -> QueueReport {
    done.append("report \(first) \(limit)")
    return full
  }

  let listSession: SessionID = "local"

  func perform(_ request: ListRequest, _ reply: CommandReply) {
    switch request {
    case .play(let list, let row, let mode): done.append("play \(list) \(row ?? "-") \(mode)")
    case .playSource(let source): done.append("choose \(source)")
    case .jump(let jump): done.append("jump \(jump.rawValue)")
    }
    reply(refusal.map { .failed($0) } ?? .success, at: .now())
  }

  var recent = [
    RecentReport(
      list: "album:1f", title: "Ágætis byrjun", song: "Starálfur", elapsed: .milliseconds(61_500),
      isAbsent: true)
  ]

}
