internal import EventLoop
package import LibraryModel

// Calls about the library. `ControlClient+Calls.swift` states when a completion is called.
extension ControlClient {
  /// Reads the state of the library, with the places with music.
  @discardableResult
  package func libraryState(_ completion: @escaping Completion<LibraryState>) -> Ticket? {
    call(
      ControlInterface.library, "GetRoot",
      then: { [weak self] (result: Result<BusValue, _>) in
        switch result {
        case .failure(let error): completion(.failure(error))
        case .success(let root):
          self?.call(ControlInterface.sources, "GetSources", then: completion) {
            try LibraryCoding.state(root, sources: $0[0])
          }
        }
      }
    ) { $0[0] }
  }

  /// Reads a page of a list.
  @discardableResult
  package func page(
    _ request: PageRequest, _ completion: @escaping Completion<LibraryPage>
  ) -> Ticket? {
    var options = WireBuilder()
    options.add("letter", request.heading.map { .string($0) })
    return call(
      ControlInterface.library, "GetPage",
      [
        .string(request.node.text), .string(request.cursor ?? ""),
        .uint32(UInt32(clamping: request.limit)), options.value,
      ], then: completion
    ) { values in
      var page = LibraryPage()
      page.rows = try LibraryCoding.rows(values[1])
      page.next = values[2].text.flatMap { $0.isEmpty ? nil : $0 }
      page.previous = values[3].text.flatMap { $0.isEmpty ? nil : $0 }
      page.count = values[4].integer ?? 0
      page.position = values[5].integer ?? 0
      return page
    }
  }

  /// Reads the headings of a list: letters, or ranges of rows.
  @discardableResult
  package func letters(
    of node: LibraryNode, under heading: String? = nil,
    _ completion: @escaping Completion<[LetterGroup]>
  ) -> Ticket? {
    letters(node.text, heading, completion)
  }

  /// Reads the ranges into which the queue is divided.
  @discardableResult
  package func queueRanges(
    under heading: String? = nil, _ completion: @escaping Completion<[LetterGroup]>
  ) -> Ticket? {
    letters(ControlInterface.queueList, heading, completion)
  }

  private func letters(
    _ list: String, _ heading: String?, _ completion: @escaping Completion<[LetterGroup]>
  ) -> Ticket? {
    call(
      ControlInterface.library, "GetLetters", [.string(list), .string(heading ?? "")],
      then: completion
    ) { LibraryCoding.groups($0[0]) }
  }

  /// Searches.
  ///
  /// - Parameter number: with 0, the search is independent of all others. A search with another number replaces the
  ///   searches before it that have a number. They are refused as superseded.
  @discardableResult
  package func find(
    _ request: SearchRequest, number: Int = 0, _ completion: @escaping Completion<LibraryFindings>
  ) -> Ticket? {
    var options = WireBuilder()
    if request.isByKeys { options.add("isByKeys", .boolean(true)) }
    options.add("kind", request.kind.map { .string($0.rawValue) })
    return call(
      ControlInterface.library, "Search",
      [
        .string(request.query), .count(number), .uint32(UInt32(clamping: request.limit)),
        options.value,
      ], then: completion
    ) { values in
      var found = LibraryFindings()
      found.rows = try LibraryCoding.rows(values[1])
      found.more = Set((values[2].texts ?? []).compactMap { LibraryRow.Kind(rawValue: $0) })
      return found
    }
  }

  /// Reads the entries whose names are most similar to a misspelt name, best first.
  @discardableResult
  package func similar(
    _ request: SimilarRequest, _ completion: @escaping Completion<[LibraryRow]>
  ) -> Ticket? {
    var options = WireBuilder()
    options.add("kind", request.kind.map { .string($0.rawValue) })
    return call(
      ControlInterface.library, "FindSimilar",
      [.string(request.text), .uint32(UInt32(clamping: request.limit)), options.value],
      then: completion
    ) { try LibraryCoding.rows($0[0]) }
  }

  /// Looks for new and changed files of a source. An empty text stands for all sources.
  @discardableResult
  package func rescan(_ source: String, _ completion: @escaping Completion<Void>) -> Ticket? {
    call(ControlInterface.sources, "Rescan", [.string(source)], then: completion) { _ in }
  }

  /// Reads all files of a source again.
  @discardableResult
  package func readAnew(_ source: String, _ completion: @escaping Completion<Void>) -> Ticket? {
    call(ControlInterface.sources, "ReadAnew", [.string(source)], then: completion) { _ in }
  }

  /// Removes a source that is absent from the library.
  @discardableResult
  package func forgetSource(_ source: String, _ completion: @escaping Completion<Void>) -> Ticket? {
    call(ControlInterface.sources, "Forget", [.string(source)], then: completion) { _ in }
  }
}
