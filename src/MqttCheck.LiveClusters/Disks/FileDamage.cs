using System.IO.Enumeration;
using MqttCheck.Statistics;

namespace MqttCheck.LiveClusters.Disks;

/// <summary>Damages files of a node that does not run, the same ones for the same seed and the same files.</summary>
internal static class FileDamage
{
    private const int BitsPerByte = 8;
    private const int MostNames = 8;

    /// <summary>Turns bits over, at places drawn uniformly over all bytes of the files.</summary>
    /// <param name="directory">The node's directory.</param>
    /// <param name="pattern">The files: <c>*</c> stands for any letters, slashes too.</param>
    /// <param name="bits">How many bits, positive.</param>
    /// <param name="random">Draws the places.</param>
    /// <returns>A line for each file that was damaged; empty if no file with a byte matches.</returns>
    public static IReadOnlyList<string> Flip(string directory, string pattern, int bits, RandomStream random)
    {
        var files = Files(directory, pattern);
        var all = files.Sum(file => file.Length);
        if (all == 0)
            return [];
        var hit = new SortedDictionary<int, int>();
        for (var bit = 0; bit < bits; bit++)
        {
            var place = (long)(random.NextDouble() * all);
            var index = 0;
            for (; place >= files[index].Length; index++)
                place -= files[index].Length;
            FlipBit(files[index].FullName, place, random.NextInt(BitsPerByte));
            hit[index] = hit.GetValueOrDefault(index) + 1;
        }
        return [.. hit.Select(file => $"{Name(directory, files[file.Key])}: {file.Value} of its bits turned over")];
    }

    /// <summary>Cuts one of the files at a place drawn uniformly over its bytes.</summary>
    /// <param name="directory">The node's directory.</param>
    /// <param name="pattern">The files: <c>*</c> stands for any letters, slashes too.</param>
    /// <param name="tail">How many bytes go at the end of the file; null to draw the place.</param>
    /// <param name="random">Draws the file and the place.</param>
    /// <returns>A line for the file that was cut; empty if no file with a byte matches.</returns>
    public static IReadOnlyList<string> Cut(string directory, string pattern, long? tail, RandomStream random)
    {
        FileInfo[] files = [.. Files(directory, pattern).Where(file => file.Length > 0)];
        if (files.Length == 0)
            return [];
        var file = files[random.NextInt(files.Length)];
        var left = tail is { } bytes ? Math.Max(0, file.Length - bytes) : (long)(random.NextDouble() * file.Length);
        using (var stream = new FileStream(file.FullName, FileMode.Open, FileAccess.Write, FileShare.ReadWrite))
        {
            stream.SetLength(left);
            stream.Flush(flushToDisk: true);
        }
        return [$"{Name(directory, file)}: cut from {file.Length} to {left} bytes"];
    }

    /// <summary>The files that there are, for a message.</summary>
    /// <param name="directory">The node's directory.</param>
    public static string Present(string directory)
    {
        string[] names =
        [
            .. Files(directory, "*").Where(file => file.Length > 0).Select(file => Name(directory, file)),
        ];
        return names.Length == 0
            ? "the node has no files"
            : $"no file with a byte matches; there are {string.Join(", ", names.Take(MostNames))}"
                + (names.Length > MostNames ? $" and {names.Length - MostNames} more" : "");
    }

    // Links may lead out of the directory, so that no link is followed.
    private static FileInfo[] Files(string directory, string pattern) =>
        [
            .. new DirectoryInfo(directory)
                .EnumerateFiles(
                    "*",
                    new EnumerationOptions
                    {
                        RecurseSubdirectories = true,
                        IgnoreInaccessible = true,
                        AttributesToSkip = FileAttributes.ReparsePoint,
                    }
                )
                .Where(file =>
                    file.Name != NodeDisk.FillName
                    && FileSystemName.MatchesSimpleExpression(pattern, Name(directory, file), ignoreCase: false)
                )
                .OrderBy(file => file.FullName, StringComparer.Ordinal),
        ];

    private static string Name(string directory, FileInfo file) => Path.GetRelativePath(directory, file.FullName);

    private static void FlipBit(string file, long place, int bit)
    {
        using var stream = new FileStream(file, FileMode.Open, FileAccess.ReadWrite, FileShare.ReadWrite);
        stream.Position = place;
        var value = stream.ReadByte();
        stream.Position = place;
        stream.WriteByte((byte)(value ^ (1 << bit)));
        stream.Flush(flushToDisk: true);
    }
}
