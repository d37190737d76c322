internal import NowPlaying
internal import Reports

// The supply and the temperature of the board. A board that does not report them has no findings.
extension UnitChecks {
  var board: [Finding] { supply + temperature }

  private var supply: [Finding] {
    let remedy = "use a stronger supply, and a shorter and thicker cable"
    let meaning = "the board becomes slow, and may restart or damage its card"
    switch snapshot.run.board.supply {
    case .unknown: return []
    case .good: return [Finding("supply.good", "supply", .good, "the voltage is high enough")]
    case .low:
      return [
        Finding(
          "supply.low", "supply", .bad, "the voltage is too low", meaning: meaning, remedy: remedy)
      ]
    case .wasLow(let moment):
      let ago = UnitFacts.time(snapshot.now.wholeTime(since: moment))
      return [
        Finding(
          "supply.was-low", "supply", .bad, "the voltage was too low, at last \(ago) ago",
          meaning: meaning, remedy: remedy)
      ]
    }
  }

  private var temperature: [Finding] {
    let board = snapshot.run.board
    guard let temperature = board.temperature else { return [] }
    let remedy = "give the board more air, or a heat sink"
    if board.isTooHot {
      return [
        Finding(
          "temperature.high", "temperature", .bad, "the processor has \(temperature) °C",
          meaning: "the processor is slower from \(BoardState.tooHot) °C on", remedy: remedy)
      ]
    }
    if let highest = board.highest, board.wasTooHot {
      return [
        Finding(
          "temperature.was-high", "temperature", .note,
          "the processor has \(temperature) °C, and had \(highest) °C since the start",
          meaning: "the processor is slower from \(BoardState.tooHot) °C on", remedy: remedy)
      ]
    }
    return [
      Finding(
        "temperature.good", "temperature", .good, "the processor has \(temperature) °C")
    ]
  }
}

extension UnitFacts {
  /// The rows of `status` about the board.
  var board: [FactsReport.Fact] {
    let board = snapshot.run.board
    var facts: [FactsReport.Fact] = []
    switch board.supply {
    case .unknown: break
    case .good: facts.append(.init("supply", "good", .good))
    case .low: facts.append(.init("supply", "the voltage is too low; see 'diagnose'", .bad))
    case .wasLow: facts.append(.init("supply", "the voltage was too low; see 'diagnose'", .bad))
    }
    if let temperature = board.temperature {
      facts.append(.init("temperature", "\(temperature) °C", board.isTooHot ? .bad : .plain))
    }
    return facts
  }
}
