internal import EventLoop

/// What a client may do. `docs/control.md` has the same table, and a test compares both.
package enum AccessRight: String, Sendable, CaseIterable {
  /// Read states, covers and facts, and follow them.
  case look
  /// Command playback and choose what plays; be a surface.
  case play
  /// Open and close the pairing window, and answer the pairing request of a phone.
  case pair
  /// Look for new files in a source of music, read it again, forget it.
  case sources
  /// Change the settings of the driver, and set the time of day.
  case settings
  /// Find, add, connect, rename and remove phones.
  case phones
  /// Read the log and the trace of commands.
  case log
  /// Play the chime, and begin and end interruptions and ducks.
  case act
  /// Start the daemon normally after safe mode.
  case retry
  /// Erase the personal data.
  case erase
  /// Restart the machine or switch it off.
  case power
  /// Open a shell.
  case shell
  /// Tell the unit whether the car is parked.
  case vehicle

  /// The rights of a role.
  package static func rights(of role: AccessRole) -> Set<AccessRight> {
    switch role {
    case .owner: Set(allCases)
    case .console: Set(allCases).subtracting([.vehicle])
    case .screen: [.look, .play, .pair, .sources, .phones, .settings, .retry, .erase]
    case .observer: [.look]
    }
  }

  /// The right that a method needs. Nil for an unknown method. `Follow` also needs the right to read
  /// the log if a client follows the log or the trace.
  package static func needed(_ interface: String, _ member: String) -> AccessRight? {
    methods[interface]?.first { $0.value.contains(member) }?.key
  }

  /// The methods of each interface, by the right that they need.
  package static let methods: [String: [AccessRight: [String]]] = [
    ControlInterface.nowPlaying.name: [.look: ControlInterface.nowPlaying.methods.map(\.name)],
    ControlInterface.commands.name: [.play: ControlInterface.commands.methods.map(\.name)],
    ControlInterface.surface.name: [.play: ControlInterface.surface.methods.map(\.name)],
    ControlInterface.library.name: [
      .look: [
        "GetRoot", "Subscribe", "Unsubscribe", "GetPage", "GetLetters", "Search", "FindSimilar",
        "GetRecent", "GetQueue", "GetItemArtwork", "GetDoubts",
      ],
      .play: [
        "Play", "MoveQueueItem", "RemoveQueueItem", "ClearQueue", "UndoQueue", "SavePlaylist",
        "AddToPlaylist", "RemoveFromPlaylist", "RenamePlaylist", "DeletePlaylist",
      ],
    ],
    ControlInterface.sources.name: [
      .look: ["GetSources", "Subscribe", "Unsubscribe"],
      .play: ["Choose"],
      .sources: ["Rescan", "ReadAnew", "Forget"],
    ],
    ControlInterface.bluetooth.name: [
      .look: ["GetState", "Subscribe", "Unsubscribe"],
      .pair: ["OpenPairing", "ClosePairing", "AcceptPairing", "RejectPairing"],
      .phones: ["Find", "Add", "Connect", "Disconnect", "Rename", "SetFirstChoice", "Forget"],
    ],
    ControlInterface.settings.name: [
      .look: ["GetSettings", "Subscribe", "Unsubscribe"],
      .settings: ["Set", "Reset", "SetTime"],
    ],
    ControlInterface.unit.name: [
      .look: ["GetFacts", "GetLatency", "Diagnose", "Follow", "IsShellAllowed"],
      .log: ["GetTrace", "GetLog"],
      .act: ["PlayChime", "BeginInterruption", "EndInterruption", "BeginDuck", "EndDuck"],
      .retry: ["EndSafeMode"],
      .erase: ["ErasePersonalData"],
      .power: ["Reboot", "PowerOff"],
      .vehicle: ["SetParked"],
    ],
  ]
}
