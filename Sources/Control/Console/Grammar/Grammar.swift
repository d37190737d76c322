internal import LibraryModel
internal import Text

/// Parses lines according to a table of commands.
package struct Grammar: Sendable {
  /// The commands, in the order of the help.
  package let commands: [CommandSyntax]

  /// - Parameter commands: the commands. Their names must be unique.
  package init(_ commands: [CommandSyntax]) { self.commands = commands }

  /// Returns the command with this name or alias, or the only command whose name begins with `word`.
  ///
  /// - Throws: if no command or more than one command matches, or if the name must be written in full. If no command
  ///   matches, the message suggests the most similar name.
  package func command(_ word: Token, in line: String) throws(GrammarError) -> CommandSyntax {
    // A terminal can be set to capitals.
    let name = word.text.lowercased()
    if let found = commands.first(where: { $0.name == name || $0.aliases.contains(name) }) {
      return found
    }
    let begun = name.isEmpty ? [] : commands.filter { $0.name.hasPrefix(name) }
    let allowed = begun.filter { !$0.needsFullName }
    if allowed.count == 1 { return allowed[0] }
    if allowed.count > 1 {
      throw GrammarError(
        .ambiguous, "\(quoted(word.text)) could be \(allowed.map(\.name).listed)",
        at: word.range, of: line)
    }
    if let whole = begun.first {
      throw GrammarError(
        .abbreviated, "\(quoted(word.text)): write '\(whole.name)' in full", at: word.range,
        of: line)
    }
    let names = commands.flatMap { [$0.name] + $0.aliases }
    let nearest = nearestWord(to: name, among: names)
    throw GrammarError(
      .unknownCommand,
      "unknown command \(quoted(word.text))"
        + (nearest.map { "; did you mean '\($0)'?" } ?? "; 'help' lists the commands"),
      at: word.range, of: line)
  }

  /// Parses a line.
  package func parse(_ line: String) throws(GrammarError) -> ConsoleLine {
    try parse(Token.split(line), of: line)
  }

  /// Parses words that were given separately, for example by a shell.
  package func parse(words: [String]) throws(GrammarError) -> ConsoleLine {
    let (tokens, line) = Token.join(words)
    return try parse(tokens, of: line)
  }

  private func parse(_ tokens: [Token], of line: String) throws(GrammarError) -> ConsoleLine {
    guard let first = tokens.first else { return .nothing }
    let syntax = try command(first, in: line)
    var candidates = syntax.forms.map { (form: $0, values: [CommandSyntax.Value]()) }
    for (index, token) in tokens.dropFirst().enumerated() {
      candidates = try advance(candidates, by: token, at: index, syntax, line)
    }
    let given = tokens.count - 1
    let whole = candidates.first { candidate in
      let rest = candidate.form.arguments.dropFirst(given)
      return rest.first?.isOptional ?? true
    }
    guard let whole else {
      let missing = expectations(candidates.map(\.form), at: given)
      let end = tokens.last?.range.upperBound ?? 0
      throw GrammarError(
        .missingArgument, "\(syntax.name) needs \(missing.listed)", at: end + 1..<end + 2,
        of: line + "  ")
    }
    let meaning = whole.form.meaning(whole.values)
    if case .help(let name?) = meaning {
      // The argument of `help` is checked here, where its position in the line is known.
      return .help(command: try command(Token(name, at: tokens[1].range), in: line).name)
    }
    return meaning
  }

  private typealias Candidate = (form: CommandSyntax.Form, values: [CommandSyntax.Value])

  /// Returns the forms that accept this word as the argument with this index.
  private func advance(
    _ candidates: [Candidate], by token: Token, at index: Int, _ syntax: CommandSyntax,
    _ line: String
  ) throws(GrammarError) -> [Candidate] {
    if let longer = Self.phrases(candidates, and: token, at: index) { return longer }
    let kinds = candidates.compactMap { candidate in
      index < candidate.form.arguments.count ? candidate.form.arguments[index].kind : nil
    }
    let words = kinds.flatMap { kind -> [String] in
      if case .words(let words) = kind { words } else { [] }
    }
    let isInPhrase = kinds.contains { if case .phrase = $0 { true } else { false } }
    // If a phrase can be here too, the case of the word counts.
    let word = Self.resolve(isInPhrase ? token.text : token.text.lowercased(), among: words)
    // A word that begins with `--` is an option, and not the beginning of a phrase.
    if token.text.hasPrefix("--"), kinds.isEmpty || isInPhrase && word == nil {
      throw GrammarError(
        .unknownOption, "\(syntax.name) has no option \(quoted(token.text))", at: token.range,
        of: line)
    }
    guard !kinds.isEmpty else {
      throw GrammarError(
        .tooManyArguments, "unexpected argument \(quoted(token.text)); use '\(syntax.usages[0])'",
        at: token.range, of: line)
    }
    var survivors: [Candidate] = []
    var refusals: [String] = []
    for candidate in candidates where index < candidate.form.arguments.count {
      let kind = candidate.form.arguments[index].kind
      if case .words(let words) = kind {
        if let word, words.contains(word) {
          survivors.append((candidate.form, candidate.values + [.word(word)]))
        }
        continue
      }
      switch ArgumentReader.read(token.text, as: kind) {
      case .success(let value):
        survivors.append((candidate.form, candidate.values + [value]))
      case .failure(let refusal): refusals.append(refusal.message)
      }
    }
    // If the token matches a word of one form and a name of another form, the word has priority.
    let byWord = survivors.filter { if case .word? = $0.values.last { true } else { false } }
    if !byWord.isEmpty { return byWord }
    guard survivors.isEmpty else { return survivors }
    let begun = token.text.isEmpty ? [] : words.filter { $0.hasPrefix(token.text) }
    if begun.count > 1 {
      throw GrammarError(
        .ambiguous, "\(quoted(token.text)) could be \(begun.listed)", at: token.range, of: line)
    }
    throw GrammarError(
      .wrongArgument,
      refusal(token.text, words, refusals, expectations(candidates.map(\.form), at: index)),
      at: token.range, of: line)
  }

  /// Adds the token to the phrase of each candidate that ends with a phrase. Nil if there is no such candidate.
  private static func phrases(
    _ candidates: [Candidate], and token: Token, at index: Int
  ) -> [Candidate]? {
    let longer = candidates.compactMap { candidate -> Candidate? in
      guard index >= candidate.form.arguments.count, let last = candidate.form.arguments.last,
        case .phrase = last.kind, case .text(let text)? = candidate.values.last,
        case .success(let value) = ArgumentReader.read("\(text) \(token.text)", as: last.kind)
      else { return nil }
      return (candidate.form, candidate.values.dropLast() + [value])
    }
    return longer.isEmpty ? nil : longer
  }

  private func refusal(
    _ text: String, _ words: [String], _ refusals: [String], _ expected: [String]
  ) -> String {
    if let nearest = nearestWord(to: text, among: words) {
      return "\(quoted(text)) is unknown; did you mean '\(nearest)'?"
    }
    // If the user typed a number, the error about the number explains more than a list of the possible words.
    let isNumber = text.first.map { $0.isNumber || "+-".contains($0) } ?? false
    if words.isEmpty || isNumber, refusals.count == 1 { return refusals[0] }
    return "\(quoted(text)) is not valid here; expected: \(expected.listed)"
  }

  private func expectations(_ forms: [CommandSyntax.Form], at index: Int) -> [String] {
    var seen: [String] = []
    for form in forms where index < form.arguments.count {
      let text = form.arguments[index].kind.expectation
      if !seen.contains(text) { seen.append(text) }
    }
    return seen
  }

  /// Returns the word that equals `text`, or the only word that begins with `text`. Options must be written in full.
  private static func resolve(_ text: String, among words: [String]) -> String? {
    if words.contains(text) { return text }
    guard !text.isEmpty, !text.hasPrefix("-") else { return nil }
    let begun = Set(words.filter { $0.hasPrefix(text) })
    return begun.count == 1 ? begun.first : nil
  }
}

// MARK: Completing

extension Grammar {
  /// Returns the completions at the end of `head`, which is the text before the cursor.
  package func complete(_ head: String) -> Completion {
    let (tokens, openQuote) = Token.parts(of: head)
    // A word inside an open quote is not completed.
    guard openQuote == nil else { return Completion() }
    let isNewWord = head.isEmpty || head.last == " " || head.last == "\t"
    let written = isNewWord ? "" : tokens.last?.text ?? ""
    let before = isNewWord ? tokens[...] : tokens.dropLast()
    guard let first = before.first else {
      return Completion(
        of: commands.map(\.name).filter { $0.hasPrefix(written) }, written: written)
    }
    guard let syntax = try? command(first, in: head) else { return Completion() }
    var forms = syntax.forms.map { (form: $0, values: [CommandSyntax.Value]()) }
    for (index, token) in before.dropFirst().enumerated() {
      guard let next = try? advance(forms, by: token, at: index, syntax, head) else {
        return Completion()
      }
      forms = next
    }
    let index = before.count - 1
    var words: [String] = []
    var names: NameRequest?
    for (form, values) in forms {
      names = names ?? Self.names(form, values, at: index, written, isNewWord: isNewWord)
      guard index < form.arguments.count else { continue }
      switch form.arguments[index].kind {
      case .words(let own): words += own
      case .command: words += commands.map(\.name)
      default: break
      }
    }
    var seen: Set<String> = []
    words = words.filter { $0.hasPrefix(written) && seen.insert($0).inserted }
    var completion = Completion(of: words, written: written)
    completion.names = names
    return completion
  }

  /// Returns the request for the names that complete the argument with this index. Nil if no names complete it.
  private static func names(
    _ form: CommandSyntax.Form, _ values: [CommandSyntax.Value], at index: Int, _ written: String,
    isNewWord: Bool
  ) -> NameRequest? {
    // A text that begins with `--` is an option, and not the beginning of a name.
    guard !written.hasPrefix("--"), let argument = form.arguments.prefix(index + 1).last,
      let names = argument.names
    else { return nil }
    var beginning = written
    var isOneWord = true
    if case .phrase = argument.kind { isOneWord = false }
    if index >= form.arguments.count {
      // The cursor is in a further word of the phrase.
      guard !isOneWord, case .text(let text)? = values.last else { return nil }
      beginning = "\(text) \(written)"
    }
    switch names {
    case .of(let kind): return NameRequest(kind, beginning, isOneWord: isOneWord)
    case .entriesOfList:
      guard case .word(let word)? = values.first, let node = LibraryNode(text: word) else {
        return nil
      }
      return NameRequest(node == .volumes ? .folders : .entries(node), beginning)
    case .valuesOfSetting:
      guard values.count > 1, case .text(let key) = values[1] else { return nil }
      return NameRequest(.values(setting: key), beginning)
    }
  }
}
