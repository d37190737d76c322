package import EventLoop
package import LibraryDatabase

/// The calls with which the work on thumbnails gives way to more urgent work.
package struct CoverPace {
  /// Called with each file before it is read. Returns false if the file must not be read.
  package let mayRead: (AlbumFiles.File) -> Bool
  /// Called before each access to a medium and before each start of the decoder. Blocks while the work is paused.
  /// Returns false if the work must stop.
  package let continues: () -> Bool
  /// Kills the decoder when the work is paused or must stop.
  package let interruption: ChildProgram.Interruption
  /// Called when new thumbnails were committed, so that readers see them.
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
