package import NowPlaying

/// What the daemon, or whoever stands for it, is asked to do.
package enum ConsoleCommand: Hashable, Sendable {
  /// What of the state is to be told.
  package enum Part: String, Hashable, Sendable, CaseIterable {
    case volume, rate, repeatMode, shuffleMode
  }

  /// What to do about the trace.
  package enum Trace: String, Hashable, Sendable {
    /// Tell what is kept.
    case show
    /// Tell each event as it comes, until `off`.
    case on
    case off
  }

  /// What to do about phones. One is named by its address or its name.
  package enum Bluetooth: Hashable, Sendable {
    /// All about Bluetooth.
    case show
    case phones
    /// - Parameter seconds: nil for as long as the configuration says.
    case pair(seconds: Int?)
    case endPairing
    /// Devices that wait to be called.
    /// - Parameter seconds: as for ``pair(seconds:)``.
    case find(seconds: Int?)
    /// Pairs with one of those.
    case add(_ device: String)
    /// To the phone that asks to be paired.
    case answer(accepts: Bool)
    case rename(_ phone: String, _ name: String)
    case forget(_ phone: String)
    case connect(_ phone: String)
    case disconnect(_ phone: String)
  }

  /// What to do about the unit's storage, `/data`.
  package enum Storage: Hashable, Sendable {
    /// Tell how it is, and what the last repair did.
    case check
    /// Make it empty.
    /// - Parameter isForced: also where nothing is wrong with it.
    case format(isForced: Bool)
  }

  /// One screen of everything.
  case status
  /// What plays.
  case now
  /// One setting.
  case part(Part)
  /// A command of a surface: see ``CommandRequest``.
  case request(CommandRequest)
  /// What comes next.
  case queue
  /// All checks, or one branch of the decision tree.
  case diagnose(DecisionTree.Symptom?)
  case audio
  case bluetooth(Bluetooth)
  case latency
  case trace(Trace)
  /// The log; with `follows` also each line that comes, until it is cancelled.
  case log(follows: Bool)
  case keys
  case boot
  case storage
  case version
  case config
  case chime
  case interrupt(begins: Bool, Interruption.Reason)
  case data(Storage)
  case reboot
  case poweroff
  /// Whether a shell may be had here.
  case shell

  /// Whether it takes as long as it takes, and says so by itself.
  var isLong: Bool {
    switch self {
    case .log(follows: true), .data(.format): true
    default: false
    }
  }
}

/// What a line asks for.
package enum ConsoleLine: Hashable, Sendable {
  /// A blank line.
  case nothing
  case help(command: String?)
  case quit
  /// - Parameter isConfirmed: `--yes` was with it.
  case command(ConsoleCommand, isConfirmed: Bool = false)
}
