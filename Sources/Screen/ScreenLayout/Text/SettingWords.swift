extension LocalizedWords {
  /// The texts of the pages of settings, in one language. An option has room for about ten letters.
  package struct Settings: Hashable, Sendable {
    // MARK: The pages

    package let sound: String
    package let display: String
    package let clock: String
    package let language: String
    package let atStart: String
    package let about: String

    // MARK: All pages

    package let automatic: String
    package let on: String
    package let off: String
    /// Shown beside a setting that a file of the configuration sets.
    package let setByFile: String
    /// Shown while driving, beside a setting that can be changed only in a parked car.
    package let whenParked: String
    /// Shown beside a setting whose new value takes effect at the next start.
    package let fromNextStart: String

    // MARK: Sound

    package let equalLoudness: String
    package let everySong: String
    package let everyAlbum: String
    package let loudestAtStart: String

    // MARK: Display

    package let colours: String
    package let day: String
    package let night: String
    package let byClock: String
    package let byHeadlights: String
    package let bySensor: String
    package let dayFrom: String
    package let dayUntil: String
    package let brightnessByDay: String
    package let brightnessAtNight: String
    package let letters: String
    package let normal: String
    package let large: String
    package let largest: String

    // MARK: Clock

    package let shownAs: String
    package let hours24: String
    package let hours12: String
    package let hidden: String
    package let hour: String
    package let minute: String
    package let timeZone: String
    package let noTimeZone: String
    package let networkSetsTime: String
    package let timeCannotBeSet: String

    // MARK: At start, and phones

    package let whenSwitchedOn: String
    package let goOn: String
    package let play: String
    package let wait: String
    package let endOfList: String
    package let playNextList: String
    package let stop: String
    package let newStick: String
    package let sayIt: String
    package let whenPhoneConnects: String
    package let whenPhoneLeaves: String
    package let playOn: String
    package let pause: String
    package let waitForPhone: String

    // MARK: About

    package let bluetooth: String
    package let version: String
    package let storage: String
    package let checkedParts: String
    package let noFaultDetail: String
    package let checksRun: String
    package let allChecks: String
    package let asCode: String
    package let report: String
    package let photograph: String
    package let codeDetail: String
    package let eraseData: String
    package let eraseQuestion: String
    /// Names the data that is not erased, and what happens after the erasing.
    package let eraseDetail: String
    package let erase: String
  }
}
