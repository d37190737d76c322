// The keys for phones and remotes.
extension SettingKey {
  static let phones = [
    SettingKey(
      "bluetooth", \.isBluetoothOn, .yesOrNo, effect: .restart, driver: .init(),
      """
      Whether phones can be paired and can control the unit. The default is yes, for two reasons. \
      Without an adapter no device can connect. With an adapter, new devices can be paired only \
      while the pairing window is open.
      """),
    SettingKey(
      "bluetooth-name", \.bluetoothName, ValueFormat.bluetoothName.orNone("empty for Autoharp"),
      driver: .init(),
      """
      The name that phones show for the unit. The default is Autoharp and the last two bytes of the \
      address of the adapter, so that two units are not mistaken for each other.
      """),
    SettingKey(
      "phone-wait", \.phoneWait, .duration(.zero ... .seconds(600)), driver: .init(step: 10),
      """
      If a phone played when the power was cut: how long the unit waits for this phone at the next \
      start. When the phone connects, the unit tells it to play. After this time the unit stays \
      silent until a person chooses music. 30 s are enough for a phone in the car.
      """),
    SettingKey(
      "play-when-phone-connects", \.playsConnectedPhones, .yesOrNo, driver: .init(),
      """
      Whether the unit tells each phone that connects to play. The default is no, because a phone \
      would interrupt the music of the unit each time that it comes into range. 'play-on-connect' \
      is about the other direction.
      """),
    SettingKey(
      "pairing-time", \.pairingTime, .duration(.seconds(10) ... .seconds(600)),
      """
      How long 'bt pair on' opens the pairing window, if the command gives no time. 120 s are \
      enough to find the Bluetooth menu of a phone.
      """),
    SettingKey(
      "pair-without-number", \.pairsWithoutNumber, .yesOrNo,
      """
      Whether a device that cannot show a number may be paired, within the pairing window and \
      after a confirmation at the unit. The default is no, because such a device cannot be \
      distinguished from a device in the next car.
      """),
    SettingKey(
      "dial-phones", \.dialsPhones, .yesOrNo,
      """
      Whether the unit connects to known phones when it starts and after a link is lost. It tries \
      the last used phone first. The default is yes, because few phones and remotes connect by \
      themselves.
      """),
    SettingKey(
      "play-on-connect", \.playOnConnect, .choice,
      """
      What the unit does with a PLAY that a phone sends by itself while it connects. The \
      default is 'ignore': otherwise paused music would start each time such a phone \
      connects. A PLAY that a person presses later always counts.
      """),
    SettingKey(
      "pause-when-phone-leaves", \.pausesWhenPhoneLeaves, .yesOrNo, driver: .init(),
      """
      Whether the music pauses when the last phone disconnects. The default is no, because the \
      music is on the unit and a radio link can be lost at any moment.
      """),
    SettingKey(
      "phone-texts", \.phoneTexts, .choice,
      """
      The length of the titles that phones receive. With 'packet', the unit shortens the texts \
      so that all of them fit into one packet. With 'whole', it does not shorten them. The \
      default is 'packet', because bluetoothd reads beyond the end of a text if the track \
      changes between two packets. 'whole' is for qualification tests.
      """),
  ]
}
