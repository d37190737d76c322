/// Names that the kernel gives by counting: `event7`, `card0`, `gpiochip2`.
package enum NumberedNames {
  /// All that are in a folder now, in the order of their numbers; none where it cannot be read. Blocks
  /// as long as the file system takes.
  package static func all(_ prefix: String, in folder: String) -> [String] {
    guard let reader = FolderReader(folder) else { return [] }
    var numbers: [Int] = []
    while let name = reader.next() {
      if let number = number(of: name, prefix) { numbers.append(number) }
    }
    return numbers.sorted().map { "\(prefix)\($0)" }
  }

  /// `event7` is 7; nil for what the kernel would not write so (`mice`, `event07`, `event-7`), or
  /// could not mean: it counts devices with 20 bits.
  package static func number(of name: String, _ prefix: String) -> Int? {
    guard name.hasPrefix(prefix), let number = Int(name.dropFirst(prefix.count)),
      (0..<1 << 20).contains(number)
    else { return nil }
    return "\(prefix)\(number)" == name ? number : nil
  }
}
