internal import LibraryModel
internal import Reports

extension PhonesState {
  /// The bonded phones as sources of music. Their identities are their addresses.
  var sources: [MusicSource] {
    bondedPhones.map { phone in
      var source = MusicSource(
        kind: .phone,
        volume: VolumeReport(
          identity: phone.address, label: phone.name,
          condition: phone.isConnected ? .ready : .absent, songs: 0, problems: 0, wasCut: false),
        path: nil)
      source.plays = phone.plays
      source.app = phone.app
      return source
    }
  }
}
