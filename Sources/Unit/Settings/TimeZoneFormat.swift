internal import SystemClock
internal import Text

extension ValueFormat where Value == ClockZone {
  /// The name of a zone in ``ClockZone/all``.
  static let timeZone = ValueFormat(
    constraint: "place of a time zone, such as 'Europe/Berlin' or 'UTC'",
    read: { text throws(ValueRefusal) in
      if let zone = ClockZone.all.first(where: { $0.name == text }) { return zone }
      let near = nearestWord(to: text, among: ClockZone.all.map(\.name))
      throw ValueRefusal(
        "unknown time zone" + (near.map { " (did you mean '\($0)'?)" } ?? ""))
    },
    text: \.name, domain: .choice(ClockZone.all.map(\.name)))
}
