using MqttCheck.LiveClusters.Disks;
using Shared;

namespace MqttCheck.LiveClusters.Tests.Disks;

/// <summary>Disks in tests, and the traces that they leave on the machine.</summary>
internal static class TestDisks
{
    /// <summary>Skips the test where the machine has no disks for nodes.</summary>
    public static void Require()
    {
        if (DiskSupport.WhyNot() is { } why)
            Missing.Report(why);
    }

    /// <summary>The places under a directory where something is mounted, and the images that are attached.</summary>
    public static IReadOnlyList<string> TracesOf(string directory) =>
        [
            .. MountTable
                .Places()
                .Concat(Attached())
                .Where(place => place.StartsWith(directory, StringComparison.Ordinal)),
        ];

    /// <summary>Waits until something is so, for at most ten seconds.</summary>
    public static async Task<bool> BecomesAsync(Func<bool> condition)
    {
        for (var attempt = 0; attempt < 200; attempt++)
        {
            if (condition())
                return true;
            await Task.Delay(50);
        }
        return false;
    }

    private static IEnumerable<string> Attached()
    {
        foreach (var device in Directory.EnumerateDirectories("/sys/block", "loop*"))
        {
            var file = Path.Combine(device, "loop", "backing_file");
            string? image = null;
            try
            {
                image = File.ReadAllText(file).Trim();
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
