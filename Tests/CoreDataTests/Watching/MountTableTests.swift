import Testing

@testable import CoreData

@Suite struct MountTableTests {
  private static let table = MountTable(
    """
    22 1 254:1 / / rw,relatime shared:1 - ext4 /dev/vda1 rw
    30 22 0:26 / /mnt/share rw shared:5 master:2 - nfs4 server:/share rw
    31 22 0:27 / /mnt/share\\040two rw - cifs //server/two rw
    32 30 0:28 / /mnt/share/local rw - tmpfs tmpfs rw
    33 22 0:29 / /home/a rw - ext4 /dev/vdb rw
    34 22 0:30 / /home/a rw - fuse.sshfs a@b: rw
    a line of another kind
    """)

  @Test(arguments: [
    ("/etc/store.sqlite", "ext4"), ("/mnt/share/store.sqlite", "nfs4"), ("/mnt/shared.sqlite", "ext4"),
    ("/mnt/share two/store.sqlite", "cifs"), ("/mnt/share/local/store.sqlite", "tmpfs"),
    ("/home/a/store.sqlite", "fuse.sshfs"),
  ]) func `a path lies on the deepest mount above it, of two on one point on the later`(path: String, name: String) {
    #expect(Self.table.fileSystem(of: path) == name)
  }

  @Test func `file systems that other machines write to are shared`() {
    for name in ["nfs4", "cifs", "9p", "virtiofs", "fuse.sshfs", "fuse"] {
      #expect(MountTable.isShared(name), "\(name)")
    }
    for name in ["ext4", "xfs", "btrfs", "overlay", "tmpfs", "fuseblk"] {
      #expect(!MountTable.isShared(name), "\(name)")
    }
  }

  @Test func `the running system's root is in its table`() {
    #expect(MountTable.current().fileSystem(of: "/") != nil)
  }
}

@Suite struct RecheckScheduleTests {
  @Test func `waits double from 0·3 ms to 200 ms and stay there`() {
    var schedule = RecheckSchedule()
    let waits = (0..<12).map { _ in schedule.next() }
    #expect(waits.prefix(4) == [.microseconds(300), .microseconds(600), .microseconds(1_200), .microseconds(2_400)])
    #expect(waits.suffix(2) == [.milliseconds(200), .milliseconds(200)])
    schedule.reset()
    #expect(schedule.next() == .microseconds(300))
  }
}
