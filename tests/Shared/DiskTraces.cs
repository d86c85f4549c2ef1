namespace Shared;

/// <summary>The traces that disks of nodes leave on the machine.</summary>
internal static class DiskTraces
{
    /// <summary>Skips the test where the machine has no disks for nodes.</summary>
    public static void Require()
    {
        if (!OperatingSystem.IsLinux() || !Environment.IsPrivilegedProcess || !File.Exists("/dev/loop-control"))
            Missing.Report("A disk of a node needs Linux, root and loop devices ('modprobe loop').");
        Missing.Require("mkfs.ext4", "apt-get install e2fsprogs (Debian, Ubuntu)");
    }

    /// <summary>
    /// The places under a directory where something is mounted, and the images there that are attached.
    /// </summary>
    public static IReadOnlyList<string> Under(string directory) =>
        [
            .. File.ReadLines("/proc/self/mounts")
                .Select(line => line.Split(' ')[1])
                .Concat(Attached())
                .Where(place => place.StartsWith(directory, StringComparison.Ordinal)),
        ];

    private static IEnumerable<string> Attached()
    {
        foreach (var device in Directory.EnumerateDirectories("/sys/block", "loop*"))
        {
            string? image = null;
            try
            {
                image = File.ReadAllText(Path.Combine(device, "loop", "backing_file")).Trim();
            }
            catch (IOException)
            {
                // It is free, or becomes so at this moment.
            }
            if (image is not null)
                yield return image;
        }
    }
}
