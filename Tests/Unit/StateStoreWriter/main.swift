// This program saves the numbers 1, 2, 3 … in the given folder until the program is killed. It
// prints each number after the number is stored on the medium.

import Glibc
import UnitState

let store = StateStore(folder: CommandLine.arguments[1])
guard let opening = store.opening(within: 60_000) else { exit(2) }
var number =
  opening.payload.flatMap { UInt64(String(decoding: $0.prefix { $0 != 32 }, as: UTF8.self)) } ?? 0
while true {
  number += 1
  // The length changes with each number. Some texts are longer than a sector. So an interrupted
  // write can leave sectors of the old and of the new text.
  let text = "\(number) " + String(repeating: "\(number % 10)", count: Int(number * 37 % 6000))
  store.save(Array(text.utf8))
  guard store.flush(within: 60_000) else { exit(3) }
  print(number)
  fflush(nil)
}
