using MqttCheck.Brokers.Processes.Children;

namespace MqttCheck.LiveClusters.Disks;

/// <summary>Whether this machine can give a node a disk of its own.</summary>
internal static class DiskSupport
{
    private const string LoopControl = "/dev/loop-control";

    private static readonly string[] s_programs =
    [
        NodeDisk.MakeProgram,
        NodeDisk.MountProgram,
        NodeDisk.UnmountProgram,
    ];

    /// <summary>
    /// Null when it can; otherwise what is missing and what would allow it, as a sentence without its end.
    /// </summary>
    public static string? WhyNot() =>
        !OperatingSystem.IsLinux()
            ? "a node's own disk needs Linux, which has ext4 images and loop devices; run it on Linux"
        : !Environment.IsPrivilegedProcess
            ? "a node's own disk needs root, who may mount an image; run it by 'sudo mqttcheck ...'"
        : s_programs.FirstOrDefault(program => CommandSearch.Find(program) is null) is { } program
            ? $"a node's own disk needs the command '{program}'; install it by 'apt-get install e2fsprogs mount'"
        : !File.Exists(LoopControl)
            ? $"a node's own disk needs loop devices, and there is no {LoopControl}; load them by 'modprobe loop', or "
                + "give a container '--privileged'"
        : null;
}
