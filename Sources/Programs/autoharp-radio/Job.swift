/// The task of the program, from its command line.
enum Job: Equatable {
  /// Writes the times of presses to a socket.
  case presses
  /// Queries a controller; 0 stands for `hci0`.
  case controller(Int)
  /// Prints the usage.
  case help

  /// Parses the arguments, without the program's name. Nil if they are not valid.
  init?(_ arguments: [String]) {
    switch (arguments.first, arguments.count) {
    case (nil, _): self = .presses
    case ("--help", 1), ("-h", 1): self = .help
    case ("controller", 2):
      // The kernel's numbers have 16 bits; the greatest one means "none".
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
