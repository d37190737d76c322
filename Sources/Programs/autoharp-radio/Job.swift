/// What the program does, as its command line says.
enum Job: Equatable {
  /// Writes the times of presses to a socket.
  case presses
  /// Asks a controller; 0 for `hci0`.
  case controller(Int)
  /// Says what the program does.
  case help

  /// From the arguments without the program's name; nil where they mean nothing.
  init?(_ arguments: [String]) {
    switch (arguments.first, arguments.count) {
    case (nil, _): self = .presses
    case ("--help", 1), ("-h", 1): self = .help
    case ("controller", 2):
      // The kernel's numbers have 16 bits, and the last one means none.
      guard let adapter = UInt16(arguments[1]), adapter < .max else { return nil }
      self = .controller(Int(adapter))
    default: return nil
    }
  }

  static let usage = """
    usage: autoharp-radio controller N
             prints who made the Bluetooth controller hciN, what it can, and how
             well it hears each of its links; waits two seconds for it at most
           autoharp-radio
             writes the times of presses to the socket that it is handed;
             autoharp-radio.service starts it so
           autoharp-radio --help

    """
}
