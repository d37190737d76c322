/// A message of the image about its storage `/data`, about the boot partition or about a stick: an identifier and a
/// sentence. The messages about `/data` and the boot partition are the lines of the file `/run/data/notice`
/// (`board/helpers/report.h`). The messages about a stick are in a file in `/run/sticks` (`mount-stick`).
package struct StorageNotice: Hashable, Sendable {
  /// Words with dots between them, from general to specific: `data.memory.no-partition`.
  package let identifier: String
  /// The text for people.
  package let sentence: String
  /// The name of the file system that is not supported. Empty if the message has another subject.
  package let about: String
  /// The stick: the type of its file system, the UUID and the size. Empty if the message is not about a stick.
  package let stick: String

  /// Creates the message from a line. Nil if the line does not begin with an identifier of one of these subjects.
  package init?(line: some StringProtocol, about: String = "", stick: String = "") {
    guard ["data.", "boot.", "stick."].contains(where: { line.hasPrefix($0) }),
      let space = line.firstIndex(of: " ")
    else { return nil }
    identifier = String(line[..<space])
    sentence = String(line[line.index(after: space)...])
    self.about = about
    self.stick = stick
  }

  /// The messages in the text of a file. A line `about NAME` or `identity STICK` applies to the messages in the lines
  /// after it.
  package static func all(in text: String) -> [StorageNotice] {
    var about = ""
    var stick = ""
    return text.split(separator: "\n").compactMap { line in
      if line.hasPrefix("about ") { about = String(line.dropFirst("about ".count)) }
      if line.hasPrefix("identity ") { stick = String(line.dropFirst("identity ".count)) }
      return StorageNotice(line: line, about: about, stick: stick)
    }
  }

  private var words: [Substring] { identifier.split(separator: ".") }

  /// True if the message is about a stick, and not about a disk of the unit.
  package var isAboutStick: Bool { words.first == "stick" }

  /// The subject in `diagnose` and `status`: `stick`, `boot` or `storage`.
  package var subject: String {
    words.first == "data" ? "storage" : String(words.first ?? "")
  }

  /// True if the settings of the unit's owner on the boot partition cannot be read.
  private var isSettingsUnreadable: Bool { identifier == "boot.unreadable" }

  /// The kind of the notice that the screen shows. Nil if only the console shows the message.
  package var kind: UnitNotice.Kind? {
    guard words.count > 1 else { return nil }
    return switch (words[0], words[1]) {
    case ("data", "checking"): .storageChecking
    case ("data", "checked"): .storageChecked
    case ("data", "repaired"): .storageRepaired
    case ("data", "erased"): .dataErased
    case ("data", "not-erased"): .dataNotErased
    case ("data", "read-only"): .storageReadOnly
    case ("data", "memory"): .storageMissing
    case ("stick", "unsupported"), ("stick", "encrypted"), ("stick", "member"), ("stick", "disc"):
      .mediumUnsupported
    case ("stick", "unformatted"): .mediumUnformatted
    case ("stick", "damaged"): .mediumDamaged
    case ("stick", "unreadable"): .mediumUnreadable
    case ("stick", "silent"): .mediumSilent
    default: nil
    }
  }

  /// Bad if new data would be lost when the power is switched off, if personal data was not erased, if the settings of
  /// the owner cannot be read, or if a stick cannot be used.
  package var grade: Grade {
    switch kind {
    case _ where isSettingsUnreadable: .bad
    case .storageChecking, .storageReadOnly, .storageMissing, .dataNotErased: .bad
    case .mediumUnsupported, .mediumUnformatted, .mediumDamaged, .mediumUnreadable,
      .mediumSilent:
      .bad
    default: .note
    }
  }

  /// True if `/data` is not on the disk, so that what is written is lost at the next start.
  package var keepsNothing: Bool {
    [.storageMissing, .storageReadOnly, .storageChecking].contains(kind)
  }

  /// What a person can do. Nil if nothing has to be done.
  package var remedy: String? {
    switch kind {
    case _ where isSettingsUnreadable:
      "repair the first partition of the card on a computer, or write the image to the card again"
    case .dataErased: nil
    case .dataNotErased: "'reboot' tries again; 'data format' erases everything"
    case .mediumSilent: "pull the stick out and plug it in again, or try another stick"
    case .mediumDamaged: "check and repair the stick on a computer"
    case .mediumUnreadable: "try another stick"
    case _ where isAboutStick: "use a stick with FAT, exFAT, NTFS or ext4"
    default: "'data check' shows what was tried; replace the medium if it happens again"
    }
  }
}

extension [StorageNotice] {
  /// The most important notice for the driver; nil if the screen shows none.
  package var foremost: UnitNotice? {
    for kind in UnitNotice.Kind.ofStorage + UnitNotice.Kind.ofMedia {
      if let notice = first(where: { $0.kind == kind }) {
        return UnitNotice(kind, about: notice.about)
      }
    }
    return nil
  }
}
