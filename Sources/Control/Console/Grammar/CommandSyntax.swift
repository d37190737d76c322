internal import Reports

/// A command as data: how it is written, what it is for, and what it means. Parser, completion and
/// help know commands from this alone.
package struct CommandSyntax: Sendable {
  /// Under which head it stands in the help.
  package enum Group: String, Sendable, CaseIterable {
    case playing = "Playing"
    case looking = "Looking"
    case machine = "The machine, and this console"
  }

  /// The word. Any beginning of it that no other command has will do, unless `isWhole`.
  package let name: String
  /// Other words for it; they are written whole, and not completed.
  package let aliases: [String]
  package let group: Group
  /// Must be written whole: an abbreviation must not switch the machine off.
  package let isWhole: Bool
  /// At most 28 columns, so that the help shows two commands side by side.
  package let summary: String
  /// What the summary leaves open.
  package let details: String
  /// Lines that can be given as they are, and what they do.
  package let examples: [(line: String, effect: String)]
  /// The ways to write it; a word decides between those that differ in it.
  package let forms: [Form]

  /// See the fields.
  package init(
    name: String, aliases: [String] = [], group: Group, isWhole: Bool = false, summary: String,
    details: String = "", examples: [(line: String, effect: String)], forms: [Form]
  ) {
    self.name = name
    self.aliases = aliases
    self.group = group
    self.isWhole = isWhole
    self.summary = summary
    self.details = details
    self.examples = examples
    self.forms = forms
  }

  /// One way to write a command.
  package struct Form: Sendable {
    package let arguments: [Argument]
    /// What it means; gets one value for each argument that is there.
    package let meaning: @Sendable ([Value]) -> ConsoleLine

    /// See the fields.
    package init(_ arguments: [Argument], _ meaning: @escaping @Sendable ([Value]) -> ConsoleLine) {
      self.arguments = arguments
      self.meaning = meaning
    }

    /// Without arguments.
    package init(_ line: ConsoleLine) {
      self.init([]) { _ in line }
    }
  }

  /// What stands behind the command's name.
  package struct Argument: Sendable {
    /// What it may be.
    package let kind: Kind
    /// May be left out, with all that follows.
    package var isOptional = false

    /// It must be there.
    package static func required(_ kind: Kind) -> Argument { Argument(kind: kind) }
    /// It may be left out, with all that follows.
    package static func optional(_ kind: Kind) -> Argument {
      Argument(kind: kind, isOptional: true)
    }
  }

  /// What an argument may be.
  package enum Kind: Sendable {
    /// One of these words. A beginning that no other has will do.
    case words([String])
    /// A time, as `90`, `90s`, `1:23`, `1:02:03.5`; with a sign, if `signed`, it is a way to go.
    case time(signed: Bool)
    /// Per cent, from 0 to 100; with a sign it is a change.
    case level
    /// A number within bounds, and the unit that may follow it.
    case number(name: String, ClosedRange<Double>, unit: String)
    /// A word of at most 40 letters, with its name in the help.
    case name(String)
    /// The name of a command.
    case command
  }

  /// An argument as it was read.
  package enum Value: Hashable, Sendable {
    /// As it stands in the grammar.
    case word(String)
    /// - Parameter sign: −1 or 1; nil where there was none.
    case time(Duration, sign: Int?)
    /// Thousandths; signed where it is a change.
    case level(thousandths: Int, isChange: Bool)
    case number(Double)
    case text(String)
  }

  /// How it is written, one line per form.
  package var usages: [String] {
    forms.map { form in
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
  /// As it stands in a usage line.
  var text: String {
    switch self {
    case .words(let words): words.joined(separator: "|")
    case .time(let signed): signed ? "[+|-]TIME" : "TIME"
    case .level: "[+|-]PERCENT"
    case .number(let name, _, _): name
    case .name(let name): name
    case .command: "COMMAND"
    }
  }

  /// What belongs here, for an error.
  var expectation: String {
    switch self {
    case .words(let words): words.count == 1 ? words[0] : words.listed
    case .time(let signed): signed ? "a time, as 1:23, +15 or -15" : "a time, as 90s or 1:23"
    case .level: "per cent, as 40, +5 or -5"
    case .number(_, let range, let unit):
      "a number from \(range.lowerBound.plain) to \(range.upperBound.plain)"
        + (unit.isEmpty ? "" : " \(unit)")
    case .name(let name): name
    case .command: "the name of a command"
    }
  }
}

extension [String] {
  /// `a, b or c`.
  var listed: String {
    guard let last, count > 1 else { return first ?? "" }
    return dropLast().joined(separator: ", ") + " or " + last
  }
}
