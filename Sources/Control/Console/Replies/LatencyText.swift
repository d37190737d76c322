package import Reports
package import Text

// Formats latencies as text and as JSON. For each command, the text has one line per stage (accepted, handed over,
// heard) with figures, and a bar for each range of times.
extension LatencyTable {
  private static let nameColumns = 13

  /// Lines for a person, at most 79 columns wide.
  package func lines(_ style: ReplyStyle) -> [String] {
    guard !rows.isEmpty else { return ["No command was measured yet."] }
    let head =
      TextWidth.spaces(2) + TextWidth.padded("ms since arrival", to: Self.nameColumns + 4)
      + ["count", "median", "95 %", "max"].map { TextWidth.rightAligned($0, to: 7) }.joined()
    // There is no space for the bound of each range above its bar. Only the first and the last bound are shown.
    var lines = [head + "   1 ms to 2 s and more"]
    for row in rows {
      let name = "\(style.sanitized(row.surface)) · \(style.sanitized(row.command))"
      lines.append(style.strong(style.cut(style.plain(name), to: style.columns - 1)))
      for stage in Stage.allCases {
        guard let histogram = row.stages[stage], histogram.count > 0 else { continue }
        let figures = [
          String(histogram.count), Self.text(histogram.percentile(50)),
          Self.text(histogram.percentile(95)), Self.text(histogram.longest),
        ]
        lines.append(
          TextWidth.spaces(2) + TextWidth.padded(stage.rawValue, to: Self.nameColumns + 4)
            + figures.map { TextWidth.rightAligned($0, to: 7) }.joined() + "   "
            + histogram.bars(hasUnicode: style.hasUnicode))
      }
    }
    return lines
  }

  private static func text(_ time: Duration?) -> String {
    time.map(milliseconds).map { $0 < 10 ? $0.plain : $0.rounded().plain } ?? "-"
  }

  /// The time in milliseconds, rounded to one decimal.
  private static func milliseconds(_ time: Duration) -> Double {
    (time / .microseconds(100)).rounded() / 10
  }

  /// Writes an array of objects. Times are in milliseconds. The JSON key of each range of times is the upper bound of
  /// the range.
  package func write(to json: inout JSONWriter) {
    json.beginArray()
    for row in rows {
      for stage in Stage.allCases {
        guard let histogram = row.stages[stage] else { continue }
        json.beginObject()
        json.member("surface", row.surface)
        json.member("command", row.command)
        json.member("stage", stage.rawValue)
        json.member("count", histogram.count)
        json.member("p50", histogram.percentile(50).map(Self.milliseconds))
        json.member("p95", histogram.percentile(95).map(Self.milliseconds))
        json.member("longest", Self.milliseconds(histogram.longest))
        json.key("upTo")
        json.beginObject()
        for (bound, count) in zip(Histogram.bounds, histogram.counts) {
          json.member(String(bound), count)
        }
        json.member("more", histogram.counts[Histogram.bounds.count])
        json.endObject()
        json.endObject()
      }
    }
    json.endArray()
  }
}

extension LatencyTable.Histogram {
  /// Returns one character per range. A higher bar means a larger count. A range that is not empty always has a visible
  /// bar.
  package func bars(hasUnicode: Bool) -> String {
    let steps = hasUnicode ? Array(" ▁▂▃▄▅▆▇█") : Array(" .:-=+*#%")
    let most = counts.max() ?? 0
    return "|"
      + String(
        counts.map { count in
          guard count > 0, most > 0 else { return steps[0] }
          let height = (Double(count) / Double(most) * Double(steps.count - 1)).rounded(.up)
          return steps[min(max(Int(height), 1), steps.count - 1)]
        }) + "|"
  }
}
