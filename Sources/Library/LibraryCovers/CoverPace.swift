package import EventLoop
package import LibraryDatabase

/// How the work on thumbnails gives way to more urgent work.
package struct CoverPace {
  /// Called with each file before it is read. False if the file must not be read.
  package let mayRead: (AlbumFiles.File) -> Bool
  /// Called before each access to a medium and before each start of the decoder. Waits while the work is held. False if
  /// the work must stop.
  package let continues: () -> Bool
  /// Kills the decoder when the work is held or must stop.
  package let interruption: ChildProgram.Interruption
  /// Called when new thumbnails can be read.
  package let committed: () -> Void

  package init(
    mayRead: @escaping (AlbumFiles.File) -> Bool, continues: @escaping () -> Bool,
    interruption: ChildProgram.Interruption, committed: @escaping () -> Void
  ) {
    self.mayRead = mayRead
    self.continues = continues
    self.interruption = interruption
    self.committed = committed
  }
}
