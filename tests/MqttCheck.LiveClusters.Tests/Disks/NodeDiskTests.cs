using MqttCheck.Brokers.Processes;
using MqttCheck.Brokers.Processes.Children;
using MqttCheck.LiveClusters.Disks;
using MqttCheck.LiveClusters.Launching;
using MqttCheck.LiveClusters.Nodes.Pipeline;

namespace MqttCheck.LiveClusters.Tests.Disks;

[Platform("Linux")]
public sealed class NodeDiskTests
{
    private ClusterDirectory _directory = null!;

    [SetUp]
    public void Begin()
    {
        DiskTraces.Require();
        _directory = new ClusterDirectory();
    }

    [TearDown]
    public async Task EndAsync()
    {
        if (_directory is null)
            return;
        await _directory.DisposeAsync();
        Assert.That(DiskTraces.Under(_directory.Path), Is.Empty);
    }

    [Test]
    public async Task A_synced_file_survives_a_power_failure_and_one_that_is_not_synced_does_not()
    {
        await using var disk = await NewAsync("a");
        Write("a", "synced", isSynced: true);
        Write("a", "unsynced", isSynced: false);

        await disk.FailPowerAsync();

        Assert.That(
            Directory.GetFileSystemEntries(_directory.OfNode("a")).Select(Path.GetFileName),
            Is.EqualTo((string[])["synced"])
        );
        Assert.That(File.ReadAllText(Place("a", "synced")), Is.EqualTo("synced"));
    }

    [Test]
    public async Task A_disk_survives_one_power_failure_after_another()
    {
        await using var disk = await NewAsync("a");
        for (var round = 0; round < 3; round++)
        {
            Write("a", $"synced{round}", isSynced: true);
            await disk.FailPowerAsync();
        }
        Assert.That(Directory.GetFileSystemEntries(_directory.OfNode("a")), Has.Length.EqualTo(3));
    }

    [Test]
    public async Task A_full_disk_takes_no_byte_until_it_is_emptied()
    {
        await using var disk = await NewAsync("a");

        await disk.FillAsync();
        Assert.That(() => Write("a", "more", isSynced: true), Throws.InstanceOf<IOException>());
        await disk.EmptyAsync();

        Write("a", "more", isSynced: true);
        Assert.That(File.ReadAllText(Place("a", "more")), Is.EqualTo("more"));
        Assert.That(File.Exists(Place("a", NodeDisk.FillName)), Is.False);
    }

    [Test]
    public async Task An_entry_that_finds_a_full_disk_is_refused_once_and_those_before_are_kept()
    {
        await using var disk = await NewAsync("a");
        var entries = new EntryFile(Place("a", "entries"), _ => { });
        // The next entry begins in the block of this one and does not end there.
        entries.Write(new byte[4000]);
        entries.Flush();
        await disk.FillAsync();

        entries.Write(new byte[200]);
        Assert.That(entries.Flush, Throws.InstanceOf<IOException>().With.Message.Contains("entries"));
        Assert.That(entries.Dispose, Throws.Nothing);
        await disk.EmptyAsync();

        var kept = new List<int>();
        using var again = new EntryFile(Place("a", "entries"), entry => kept.Add(entry.Length));
        Assert.That(kept, Is.EqualTo((int[])[4000]));
    }

    [Test]
    public async Task Room_that_a_node_makes_on_a_full_disk_is_taken_too()
    {
        await using var disk = await NewAsync("a");
        File.WriteAllBytes(Place("a", "large"), new byte[1 << 20]);
        await disk.FillAsync();

        File.Delete(Place("a", "large"));

        Assert.That(
            () => new DriveInfo(_directory.OfNode("a")).AvailableFreeSpace,
            Is.LessThan(4096).After(10).Seconds.PollEvery(50).MilliSeconds
        );
    }

    [Test]
    public async Task A_power_failure_ends_what_fills_a_disk()
    {
        await using var disk = await NewAsync("a");
        await disk.FillAsync();
        await disk.FailPowerAsync();
        Write("a", "more", isSynced: true);
        Assert.That(Directory.GetFileSystemEntries(_directory.OfNode("a")), Has.Length.EqualTo(1));
    }

    [Test]
    public async Task Several_disks_at_one_time_do_not_disturb_each_other()
    {
        string[] names = ["a", "b", "c", "d", "e", "f"];
        var disks = await Task.WhenAll(names.Select(NewAsync));
        foreach (var name in names)
            Write(name, name, isSynced: true);

        await Task.WhenAll(disks.Where((_, index) => index % 2 == 0).Select(disk => disk.FailPowerAsync()));

        foreach (var name in names)
            Assert.That(File.ReadAllText(Place(name, name)), Is.EqualTo(name));
        await Task.WhenAll(disks.Select(disk => disk.DisposeAsync().AsTask()));
    }

    [Test]
    public async Task A_directory_with_files_or_with_a_disk_is_refused()
    {
        Write("a", "of the user", isSynced: false);
        Assert.That(
            async () => await NewAsync("a"),
            Throws.TypeOf<BrokerException>().With.Message.Contains("not an empty directory")
        );
        await using var disk = await NewAsync("b");
        Assert.That(
            async () => await NodeDisk.CreateAsync(_directory.OfNode("b"), _directory.ImageOfNode("other")),
            Throws.TypeOf<BrokerException>().With.Message.Contains("something is mounted")
        );
        Assert.That(
            async () => await NodeDisk.CreateAsync(_directory.OfNode("c"), _directory.ImageOfNode("b")),
            Throws.InstanceOf<IOException>()
        );
        Assert.That(File.ReadAllText(Place("a", "of the user")), Is.EqualTo("of the user"));
    }

    [Test]
    public async Task A_disk_in_use_is_detached_with_a_message_and_goes_with_its_last_user()
    {
        var disk = await NewAsync("a");
        disk.BusyPatience = TimeSpan.FromMilliseconds(300);
        await using (var user = ChildProcess.StartNode(new BrokerCommand("cat", ["/dev/zero"]), _directory.OfNode("a")))
        {
            await user.ProcessId;
            Assert.That(
                async () => await disk.DisposeAsync(),
                Throws.TypeOf<BrokerException>().With.Message.Contains("busy")
            );
            Assert.That(MountTable.Contains(_directory.OfNode("a")), Is.False);
        }
        Assert.That(() => DiskTraces.Under(_directory.Path), Is.Empty.After(10).Seconds.PollEvery(50).MilliSeconds);
    }

    private Task<NodeDisk> NewAsync(string name) =>
        NodeDisk.CreateAsync(_directory.OfNode(name), _directory.ImageOfNode(name));

    private string Place(string node, string file) => Path.Combine(_directory.OfNode(node), file);

    private void Write(string node, string text, bool isSynced)
    {
        using var file = new FileStream(Place(node, text), FileMode.Create, FileAccess.Write);
        file.Write(System.Text.Encoding.UTF8.GetBytes(text));
        file.Flush(flushToDisk: isSynced);
    }
}
