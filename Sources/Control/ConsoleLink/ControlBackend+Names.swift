package import Console
internal import Control
internal import LibraryModel
internal import Reports

// Names of the library that complete a word.
extension ControlBackend {
  package func lookUp(_ request: NameRequest, completion: @escaping (NameAnswer) -> Void) {
    guard client.state == .connected else { return completion(NameAnswer()) }
    let lookup = NameLookup(self, request) { [weak self] answer in
      self?.lookup = nil
      completion(answer)
    }
    self.lookup = lookup
    lookup.start()
  }
}
