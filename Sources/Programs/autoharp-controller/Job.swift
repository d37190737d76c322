/// The task of the program, from its command line.
enum Job: Equatable {
  /// Queries the controller with this number. 0 means `hci0`.
  case controller(Int)
  /// Prints the usage.
  case help

  /// Parses the arguments, without the program's name. Nil if they are not valid.
  init?(_ arguments: [String]) {
    switch (arguments.first, arguments.count) {
    case ("--help", 1), ("-h", 1): self = .help
    case ("controller", 2):
      // The kernel numbers controllers with 16 bits. The largest number means "no controller".
      guard let adapter = UInt16(arguments[1]), adapter < .max else { return nil }
      self = .controller(Int(adapter))
    default: return nil
    }
  }

  static let usage = """
    usage: autoharp-controller controller N
             prints the manufacturer, version and features of the Bluetooth
             controller hciN, and the signal of each of its links; waits at
             most two seconds for the answers
           autoharp-controller --help

    """
}
