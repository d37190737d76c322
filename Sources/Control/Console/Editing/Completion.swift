internal import Text

/// The possible completions at the cursor.
package struct Completion: Equatable, Sendable {
  /// All candidates, in the order of the grammar. Each candidate is a whole word.
  package var candidates: [String]
  /// The text that is inserted at the cursor: the common beginning of all candidates, without the part that is already
  /// typed. If there is only one candidate, the text ends with a space.
  package var insertion: String
  /// The request for names of the library, which are further candidates. Nil if no names can follow here.
  package var names: NameRequest?

  /// Creates a completion. By default, it has no candidates.
  package init(candidates: [String] = [], insertion: String = "", names: NameRequest? = nil) {
    self.candidates = candidates
    self.insertion = insertion
    self.names = names
  }

  /// Creates the completion of a word from its candidates. `written` is the part of the word that is already typed.
  package init(of candidates: [String], written: String) {
    self.candidates = candidates
    guard let first = candidates.first else {
      insertion = ""
      return
    }
    // Names of the library can differ in case, so case is ignored.
    let common = candidates.dropFirst().reduce(Substring(first)) { common, next in
      common.prefix(
        zip(common, next).prefix { $0 == $1 || $0.lowercased() == $1.lowercased() }.count)
    }
    insertion = String(common.dropFirst(written.count))
    // After the path of a folder, the user can type the name of a folder in it, so no space is added.
    if candidates.count == 1, first.last != "/" { insertion += " " }
  }

  /// Returns the completion with the names of the library as further candidates. A name is left out if it contains
  /// characters that a terminal would execute.
  package func adding(_ answer: NameAnswer, _ request: NameRequest) -> Completion {
    let names = answer.names.filter { TextWidth.sanitized($0) == $0 && request.matches($0) }
    var completion = Completion(of: candidates + names, written: request.beginning)
    if answer.isComplete {
      completion.insertion = request.escaped(completion.insertion)
    } else {
      // Not all names are known. An unknown name can begin differently, so nothing is inserted.
      completion.insertion = ""
      if !names.isEmpty { completion.candidates.append("...") }
    }
    return completion
  }

  /// Returns lines that show the candidates in columns. Each column is filled from top to bottom.
  package func listing(columns: Int) -> [String] {
    guard !candidates.isEmpty else { return [] }
    let candidates = candidates.map { TextWidth.truncated($0, to: columns) }
    let widest = candidates.map { TextWidth.columns(of: $0) }.max() ?? 0
    let across = max(1, (columns - 1) / (widest + 2))
    let rows = (candidates.count + across - 1) / across
    return (0..<rows).map { row in
      var line = ""
      for index in stride(from: row, to: candidates.count, by: rows) {
        let isLast = index + rows >= candidates.count
        line += isLast ? candidates[index] : TextWidth.padded(candidates[index], to: widest + 2)
      }
      return line
    }
  }
}

extension NameRequest {
  /// Escapes a part of a name for the command line. A space at the end separates words, so it is not escaped.
  fileprivate func escaped(_ insertion: String) -> String {
    let endsWithSpace = insertion.last == " "
    return insertion.dropLast(endsWithSpace ? 1 : 0).reduce(into: "") { result, character in
      if "\\'\"".contains(character) || isOneWord && character == " " { result += "\\" }
      result.append(character)
    } + (endsWithSpace ? " " : "")
  }
}
