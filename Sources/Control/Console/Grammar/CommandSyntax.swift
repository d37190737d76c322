internal import Reports

/// Describes a command: its syntax, its help and its meaning. The parser, the completion and the help use only this
/// description.
package struct CommandSyntax: Sendable {
  /// The heading of the command in the help.
  package enum Group: String, Sendable, CaseIterable {
    case playing = "Playback"
    case music = "Music"
    case information = "Information"
    case machine = "Machine and console"

    /// True if the names explain the commands well enough, so that the list of all commands needs no summaries.
    var hasPlainNames: Bool { self == .playing || self == .music }
  }

  /// The name. A user can shorten the name to a unique beginning, unless `needsFullName` is true.
  package let name: String
  /// Other names of the command. They must be written in full, and the key Tab does not complete them.
  package let aliases: [String]
  package let group: Group
  /// True if the name must be written in full. Otherwise, for example, a short input could switch the machine off.
  package let needsFullName: Bool
  /// A summary of at most 28 columns, because the help shows two commands side by side.
  package let summary: String
  /// A longer explanation for `help COMMAND`.
  package let details: String
  /// Example lines, and their effects.
  package let examples: [(line: String, effect: String)]
  /// The forms of the command. Forms with words at the same position are distinguished by these words.
  package let forms: [Form]

  /// Creates a command.
  package init(
    name: String, aliases: [String] = [], group: Group, needsFullName: Bool = false,
    summary: String,
    details: String = "", examples: [(line: String, effect: String)], forms: [Form]
  ) {
    self.name = name
    self.aliases = aliases
    self.group = group
    self.needsFullName = needsFullName
    self.summary = summary
    self.details = details
    self.examples = examples
    self.forms = forms
  }

  /// One form of a command.
  package struct Form: Sendable {
    package let arguments: [Argument]
    /// False for another spelling of a form, which the help does not repeat.
    package let isListed: Bool
    /// Builds the console line. The closure gets the values of the given arguments. Omitted arguments have no value.
    package let meaning: @Sendable ([Value]) -> ConsoleLine

    /// Creates a form with arguments.
    package init(
      _ arguments: [Argument], isListed: Bool = true,
      _ meaning: @escaping @Sendable ([Value]) -> ConsoleLine
    ) {
      self.arguments = arguments
      self.isListed = isListed
      self.meaning = meaning
    }

    /// Creates a form without arguments.
    package init(_ line: ConsoleLine) {
      self.init([]) { _ in line }
    }
  }

  /// An argument of a form.
  package struct Argument: Sendable {
    /// The kind of the argument.
    package let kind: Kind
    /// True if the user can omit the argument together with all following arguments.
    package var isOptional = false
    /// The kind of names that the daemon returns to complete the argument. Nil if no names complete the argument.
    package var names: Names?

    /// Creates an argument that must be given.
    package static func required(_ kind: Kind, names: Names? = nil) -> Argument {
      Argument(kind: kind, names: names)
    }
    /// Creates an argument that the user can omit together with all following arguments.
    package static func optional(_ kind: Kind, names: Names? = nil) -> Argument {
      Argument(kind: kind, isOptional: true, names: names)
    }
  }

  /// The kind of names that the daemon returns to complete an argument.
  package enum Names: Hashable, Sendable {
    case of(NameRequest.Kind)
    /// The entries of the list of the library that the previous argument names.
    case entriesOfList
    /// The values of the setting whose key is the previous argument.
    case valuesOfSetting
  }

  /// The kind of an argument.
  package enum Kind: Sendable {
    /// One of these words. A unique beginning is sufficient.
    case words([String])
    /// A time, such as `90`, `90s`, `1:23` or `1:02:03.5`. If `signed` is true, a sign is also allowed. A time with a
    /// sign is relative to the current position.
    case time(signed: Bool)
    /// A percentage from 0 to 100. A value with a sign is a change of the present level.
    case level
    /// A number within a range. The user can write the unit after the number.
    case number(name: String, ClosedRange<Double>, unit: String)
    /// A word of at most 40 letters. The associated text is the name of the argument in the help.
    case name(String)
    /// All further words of the line, as one text. A phrase must be the last argument. The associated text is the name
    /// of the argument in the help.
    case phrase(String)
    /// The name of a command.
    case command
  }

  /// A parsed argument.
  package enum Value: Hashable, Sendable {
    /// A word of ``Kind/words(_:)``, written in full.
    case word(String)
    /// - Parameter sign: −1 or 1; nil if no sign was given.
    case time(Duration, sign: Int?)
    /// A level in thousandths. If `isChange` is true, the value is a change, which can be negative.
    case level(thousandths: Int, isChange: Bool)
    case number(Double)
    case text(String)
  }

  /// The usage lines, one per listed form.
  package var usages: [String] {
    forms.filter(\.isListed).map { form in
      var usage = name
      var closing = ""
      for argument in form.arguments {
        usage += argument.isOptional ? " [\(argument.kind.text)" : " \(argument.kind.text)"
        if argument.isOptional { closing += "]" }
      }
      return usage + closing
    }
  }
}

extension CommandSyntax.Kind {
  /// The argument in a usage line.
  var text: String {
    switch self {
    case .words(let words): words.joined(separator: "|")
    case .time(let signed): signed ? "[+|-]TIME" : "TIME"
    case .level: "[+|-]PERCENT"
    case .number(let name, _, _): name
    case .name(let name), .phrase(let name): name
    case .command: "COMMAND"
    }
  }

  /// The expected input, for an error message.
  var expectation: String {
    switch self {
    case .words(let words): words.count == 1 ? words[0] : words.listed
    case .time(let signed):
      signed ? "a time such as 1:23, +15 or -15" : "a time such as 90s or 1:23"
    case .level: "a percentage such as 40, +5 or -5"
    case .number(_, let range, let unit):
      "a number from \(range.lowerBound.plain) to \(range.upperBound.plain)"
        + (unit.isEmpty ? "" : " \(unit)")
    case .name(let name), .phrase(let name): name
    case .command: "the name of a command"
    }
  }
}

extension [String] {
  /// The words as a list: `a, b or c`.
  var listed: String {
    guard let last, count > 1 else { return first ?? "" }
    return dropLast().joined(separator: ", ") + " or " + last
  }
}
