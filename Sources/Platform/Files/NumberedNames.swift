/// Device names that the kernel numbers: `event7`, `card0`, `gpiochip2`.
package enum NumberedNames {
  /// All names with this prefix and a number that are in a folder now, sorted by number. Empty if the folder cannot be
  /// read. The call blocks until the file system has delivered the names.
  package static func all(_ prefix: String, in folder: String) -> [String] {
    guard let reader = FolderReader(folder) else { return [] }
    var numbers: [Int] = []
    while let name = reader.next() {
      if let number = number(of: name, prefix) { numbers.append(number) }
    }
    return numbers.sorted().map { "\(prefix)\($0)" }
  }

  /// The number in a name: 7 for `event7`. Nil if the name does not have the form that the kernel uses: `mice`,
  /// `event07` and `event-7` give nil. Also nil if the number has more than 20 bits, because minor device numbers of
  /// the kernel have 20 bits.
  package static func number(of name: String, _ prefix: String) -> Int? {
    guard name.hasPrefix(prefix), let number = Int(name.dropFirst(prefix.count)),
      (0..<1 << 20).contains(number)
    else { return nil }
    return "\(prefix)\(number)" == name ? number : nil
  }
}
