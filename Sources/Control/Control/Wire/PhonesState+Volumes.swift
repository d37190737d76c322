internal import LibraryModel
internal import Reports

extension PhonesState {
  /// The bonded phones as volumes, for the list from which the driver chooses a source. The identity of such a volume
  /// is the address of the phone.
  var volumes: [VolumeState] {
    bondedPhones.map { phone in
      var volume = VolumeState(
        kind: .phone,
        report: VolumeReport(
          identity: phone.address, label: phone.name,
          condition: phone.isConnected ? .ready : .absent, songs: 0, problems: 0, wasCut: false),
        path: nil)
      volume.plays = phone.plays
      volume.app = phone.app
      return volume
    }
  }
}
