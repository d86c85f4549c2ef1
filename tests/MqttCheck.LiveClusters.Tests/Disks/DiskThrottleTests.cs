using System.Diagnostics;
using MqttCheck.LiveClusters.Disks;
using MqttCheck.LiveClusters.Launching;

namespace MqttCheck.LiveClusters.Tests.Disks;

// Whether a machine has such control groups is a matter of its kernel and its container, so nothing can be installed.
[Platform("Linux")]
public sealed class DiskThrottleTests
{
    private const int Writes = 20;

    [SetUp]
    public void Require()
    {
        DiskTraces.Require();
        if (DiskThrottle.WhyNot() is { } why)
            Assert.Ignore(why);
    }

    // Twenty synchronised writes take two seconds at ten a second, and else some milliseconds each.
    [Test]
    public async Task A_process_and_its_children_write_slowly_until_the_disk_is_released()
    {
        await using var directory = new ClusterDirectory();
        await using var disk = await NodeDisk.CreateAsync(directory.OfNode("a"), Path.Combine(directory.Path, "a.img"));
        using var writer = Start(directory.OfNode("a"));
        var before = await WriteAsync(writer);

        await disk.ThrottleAsync(writer.Id);
        var throttled = await WriteAsync(writer);
        Assert.That(GroupsOf(writer), Has.Some.Contains("/mqttcheck-"));

        await disk.ReleaseAsync();
        var after = await WriteAsync(writer);
        writer.StandardInput.Close();
        await writer.WaitForExitAsync();

        TestContext.Out.WriteLine($"{before} before, {throttled} throttled, {after} after");
        // The system lets the first one pass.
        var least = TimeSpan.FromSeconds((Writes - 2.0) / DiskThrottle.WritesPerSecond);
        Assert.That(throttled, Is.GreaterThan(least).And.GreaterThan(before < after ? before : after));
    }

    [Test]
    public async Task A_group_goes_with_the_processes_that_were_in_it()
    {
        await using var directory = new ClusterDirectory();
        await using var disk = await NodeDisk.CreateAsync(directory.OfNode("a"), Path.Combine(directory.Path, "a.img"));
        using var writer = Start(directory.OfNode("a"));
        await disk.ThrottleAsync(writer.Id);
        var group = GroupsOf(writer).Single(line => line.Contains("/mqttcheck-", StringComparison.Ordinal));
        writer.Kill(entireProcessTree: true);
        await writer.WaitForExitAsync();

        await disk.ReleaseAsync();

        using var other = Start(directory.OfNode("a"));
        Assert.That(GroupsOf(other), Does.Not.Contain(group));
        Assert.That(Groups(), Is.Empty);
        other.Kill(entireProcessTree: true);
        await other.WaitForExitAsync();
    }

    // A fault of all nodes makes their groups at one time, and none may remove that of another.
    [Test]
    public async Task Several_disks_at_one_time_have_groups_of_their_own_and_one_that_was_left_is_removed()
    {
        await using var directory = new ClusterDirectory();
        await using var one = await NodeDisk.CreateAsync(directory.OfNode("a"), Path.Combine(directory.Path, "a.img"));
        await using var other = await NodeDisk.CreateAsync(
            directory.OfNode("b"),
            Path.Combine(directory.Path, "b.img")
        );
        using var first = Start(directory.OfNode("a"));
        using var second = Start(directory.OfNode("b"));
        var left = Path.Combine(await ParentAsync(one, first), "mqttcheck-4194305-left");
        Directory.CreateDirectory(left);

        await Task.WhenAll(one.ThrottleAsync(first.Id), other.ThrottleAsync(second.Id));

        string[] groups = [.. new[] { first, second }.Select(process => GroupsOf(process).Single(IsOurs))];
        Assert.That(groups, Is.Unique);
        Assert.That(left, Does.Not.Exist);
        first.Kill(entireProcessTree: true);
        second.Kill(entireProcessTree: true);
        await Task.WhenAll(first.WaitForExitAsync(), second.WaitForExitAsync());
        await Task.WhenAll(one.ReleaseAsync(), other.ReleaseAsync());
        Assert.That(Groups(), Is.Empty);
    }

    // The directory of the groups.
    private static async Task<string> ParentAsync(NodeDisk disk, Process process)
    {
        await disk.ThrottleAsync(process.Id);
        var parent = Path.GetDirectoryName(Groups().Single())!;
        await disk.ReleaseAsync();
        return parent;
    }

    private static bool IsOurs(string line) => line.Contains("/mqttcheck-", StringComparison.Ordinal);

    // A line makes it write, as a child of its own.
    private static Process Start(string directory) =>
        Process.Start(
            new ProcessStartInfo(
                "sh",
                ["-c", $"while read _; do dd if=/dev/zero of=f bs=512 count={Writes} oflag=dsync 2>&1; echo done; done"]
            )
            {
                WorkingDirectory = directory,
                RedirectStandardInput = true,
                RedirectStandardOutput = true,
            }
        )!;

    private static async Task<TimeSpan> WriteAsync(Process writer)
    {
        var watch = Stopwatch.StartNew();
        await writer.StandardInput.WriteLineAsync();
        await writer.StandardInput.FlushAsync();
        while (await writer.StandardOutput.ReadLineAsync() is { } line && line != "done")
            continue;
        return watch.Elapsed;
    }

    private static string[] GroupsOf(Process process) => File.ReadAllLines($"/proc/{process.Id}/cgroup");

    private static List<string> Groups() =>
        [.. Directory.EnumerateDirectories("/sys/fs/cgroup", "mqttcheck-*", SearchOption.AllDirectories)];
}
