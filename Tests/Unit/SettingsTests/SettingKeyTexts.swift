@testable import Settings

// The texts that are generated from the setting keys. The program does not need these texts, so they are part of the
// tests.

extension SettingKey {
  /// The contents of the shipped file `/etc/autoharp.conf`. Each key is a comment with its default.
  static var shippedFile: String {
    let standard = Settings()
    var lines = shippedHead
    for (title, keys) in groups {
      lines += ["", "", "# --- \(title) " + String(repeating: "-", count: 70 - title.count)]
      for key in keys {
        lines.append("")
        lines += wrapped(text(key)).map { "# \($0)" }
        lines += wrapped("(\(key.constraint))").map { "# \($0)" }
        let texts = key.texts(standard)
        // If the default of a key is an empty list, the key gets one line with an empty value.
        lines += (texts.isEmpty ? [""] : texts).map { "#\(key.name) = \($0)".trimmedAtEnd }
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private static let shippedHead = [
    "# The configuration of Autoharp, with every key at its default.",
    "#",
    "# This file is part of the image and cannot be changed there. To change a key, write",
    "# KEY = VALUE, without the '#', into /data/autoharp.conf. The driver can then not change",
    "# this key on the unit any more. All other keys keep their defaults, or the value that the",
    "# driver has set. A comment needs a line of its own. The text in parentheses after the",
    "# description of a key says whether the value can be empty, and what an empty value means.",
    "#",
    "# On another computer you can write the same lines into autoharp.conf on the first",
    "# partition of the SD card. /data/autoharp.conf has priority.",
    "#",
    "# The unit ignores each wrong line, and names it in the log. 'autoharp config check",
    "# FILE' checks a file before you copy it to the unit. 'autoharp config show' lists each",
    "# value, and the file that it comes from.",
  ]

  /// The part of `docs/configuration.md` that lists the keys.
  static var documentation: String {
    let standard = Settings()
    var lines: [String] = []
    for (title, keys) in groups {
      lines += ["### \(title)", ""]
      lines.append(
        "| key | default | value | driver | what it does, and the reason for the default |")
      lines.append("|---|---|---|---|---|")
      for key in keys {
        let texts = key.texts(standard).filter { !$0.isEmpty }.map { "`\($0)`" }
        let value = texts.isEmpty ? "–" : texts.joined(separator: ", ")
        lines.append(
          "| `\(key.name)` | \(value) | \(key.constraint) | \(driverWord(key)) | \(text(key)) |")
      }
      lines.append("")
    }
    return lines.joined(separator: "\n")
  }

  private static func text(_ key: SettingKey) -> String {
    key.effect == .now ? key.about : key.about + " A new value takes effect at the next start."
  }

  /// The text of the column *driver*: whether the driver can change the key on the unit, and when the change takes
  /// effect.
  private static func driverWord(_ key: SettingKey) -> String {
    guard let driver = key.driver else { return "no" }
    return driver.isForRoot ? "root" : key.effect == .now ? "yes" : "from the next start on"
  }

  /// Breaks text at spaces into lines of at most 84 characters.
  private static func wrapped(_ text: String) -> [String] {
    var lines = [""]
    for word in text.split(separator: " ") {
      let last = lines[lines.count - 1]
      if last.isEmpty {
        lines[lines.count - 1] = String(word)
      } else if last.count + 1 + word.count <= 84 {
        lines[lines.count - 1] = "\(last) \(word)"
      } else {
        lines.append(String(word))
      }
    }
    return lines
  }
}

extension String {
  fileprivate var trimmedAtEnd: String {
    var text = self
    while text.last == " " { text.removeLast() }
    return text
  }
}
