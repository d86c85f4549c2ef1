using System.Globalization;
using MqttCheck.Brokers.Processes;
using MqttCheck.Brokers.Wire;

namespace MqttCheck.LiveClusters.Disks;

/// <summary>
/// A control group whose processes write to one disk ten times a second: by the controller <c>blkio</c> of version 1,
/// or <c>io</c> of version 2.
/// </summary>
internal sealed class DiskThrottle
{
    /// <summary>How often a second the processes of the group write to the disk.</summary>
    public const int WritesPerSecond = 10;

    private const string Prefix = "mqttcheck-";
    private const string Processes = "cgroup.procs";

    private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(2);
    private static readonly TimeSpan s_pause = TimeSpan.FromMilliseconds(10);

    private readonly string _parent;
    private readonly string _group;

    private DiskThrottle(string parent, string group) => (_parent, _group) = (parent, group);

    /// <summary>
    /// Null when this machine has such groups; otherwise what is missing and what would allow it, as a sentence without
    /// its end.
    /// </summary>
    public static string? WhyNot()
    {
        if (Find() is not var (parent, _))
            return "a slow disk needs control groups with the controller blkio (version 1) or io (version 2), and none "
                + "is mounted; mount them, or run it on the host";
        try
        {
            Directory.Delete(Directory.CreateDirectory(NewGroup(parent)).FullName);
            return null;
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException)
        {
            return $"a slow disk needs a control group of its own, and none can be made in {parent} "
                + $"({failure.Message}); give a container '--privileged'";
        }
    }

    /// <summary>Makes the group of a disk.</summary>
    /// <param name="device">The numbers of its device, such as <c>7:0</c>.</param>
    /// <exception cref="BrokerException">The machine has no such groups, or the system refuses.</exception>
    public static DiskThrottle Begin(string device)
    {
        if (Find() is not var (parent, isVersion2))
            throw new BrokerException($"A slow disk: {WhyNot()}.");
        RemoveLeft(parent);
        var group = NewGroup(parent);
        try
        {
            Directory.CreateDirectory(group);
            if (isVersion2)
                File.WriteAllText(Path.Combine(parent, "cgroup.subtree_control"), "+io");
            var (file, limit) = isVersion2 ? ("io.max", "wiops=") : ("blkio.throttle.write_iops_device", "");
            File.WriteAllText(Path.Combine(group, file), Invariant($"{device} {limit}{WritesPerSecond}"));
            return new DiskThrottle(parent, group);
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException)
        {
            TryRemove(group);
            throw new BrokerException($"A slow disk cannot be made in {group}: {failure.Message}", failure);
        }
    }

    /// <summary>Takes a process with all that descend from it; what they start later is in the group too.</summary>
    public void Add(int process)
    {
        foreach (var one in Family(process))
            Move(one, _group);
    }

    /// <summary>Gives the processes back and removes the group.</summary>
    public async Task EndAsync()
    {
        var end = MonotonicClock.NowNanoseconds + MonotonicClock.Nanoseconds(s_patience);
        while (Directory.Exists(_group))
        {
            foreach (var process in File.ReadLines(Path.Combine(_group, Processes)).ToList())
                Move(int.Parse(process, CultureInfo.InvariantCulture), _parent);
            // A process that has just ended is in it for a moment longer.
            if (TryRemove(_group) || MonotonicClock.NowNanoseconds >= end)
                return;
            await Task.Delay(s_pause);
        }
    }

    // The group of this process, whose processes the nodes descend from.
    private static (string Parent, bool IsVersion2)? Find()
    {
        foreach (var (place, type, options) in MountTable.Mounts())
        {
            if (type == "cgroup" && options.Split(',').Contains("blkio"))
                return (Own(place, line => line.Split(':')[1].Split(',').Contains("blkio")), false);
            var controllers = Path.Combine(place, "cgroup.controllers");
            if (type == "cgroup2" && File.Exists(controllers) && File.ReadAllText(controllers).Split().Contains("io"))
                return (Own(place, line => line.StartsWith("0::", StringComparison.Ordinal)), true);
        }
        return null;
    }

    private static string Own(string place, Predicate<string> isOfHierarchy)
    {
        var line = File.ReadLines("/proc/self/cgroup").FirstOrDefault(line => isOfHierarchy(line));
        var own = place + line?[(line.LastIndexOf(':') + 1)..];
        return Directory.Exists(own) ? Path.TrimEndingDirectorySeparator(own) : place;
    }

    private static string NewGroup(string parent) =>
        Path.Combine(parent, Invariant($"{Prefix}{Environment.ProcessId}-{Guid.NewGuid():N}"));

    // A process that was killed has left its groups behind, and their names have its number. Those of one that runs may
    // be about to get their processes.
    private static void RemoveLeft(string parent)
    {
        foreach (var left in Directory.EnumerateDirectories(parent, Prefix + "*").ToList())
        {
            if (!Directory.Exists("/proc/" + Path.GetFileName(left)[Prefix.Length..].Split('-')[0]))
                TryRemove(left);
        }
    }

    private static bool TryRemove(string group)
    {
        try
        {
            Directory.Delete(group);
            return true;
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException)
        {
            return failure is DirectoryNotFoundException;
        }
    }

    private static void Move(int process, string group)
    {
        try
        {
            File.WriteAllText(Path.Combine(group, Processes), process.ToString(CultureInfo.InvariantCulture));
        }
        catch (IOException)
        {
            // It has ended meanwhile.
        }
    }

    private static List<int> Family(int process)
    {
        var parents = new Dictionary<int, int>();
        foreach (var directory in Directory.EnumerateDirectories("/proc"))
        {
            if (
                int.TryParse(Path.GetFileName(directory), CultureInfo.InvariantCulture, out var id)
                && ParentOf(directory) is { } parent
            )
                parents[id] = parent;
        }
        var family = new List<int> { process };
        for (var i = 0; i < family.Count; i++)
            family.AddRange(parents.Where(child => child.Value == family[i]).Select(child => child.Key));
        return family;
    }

    // The name of a program may hold blanks and brackets; its state and its parent follow the last bracket.
    private static int? ParentOf(string directory)
    {
        try
        {
            var text = File.ReadAllText(Path.Combine(directory, "stat"));
            return int.Parse(text[(text.LastIndexOf(')') + 2)..].Split(' ')[1], CultureInfo.InvariantCulture);
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException)
        {
            return null;
        }
    }

    private static string Invariant(FormattableString text) => FormattableString.Invariant(text);
}
