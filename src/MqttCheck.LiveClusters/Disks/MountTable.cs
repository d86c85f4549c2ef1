namespace MqttCheck.LiveClusters.Disks;

/// <summary>The places where something is mounted.</summary>
internal static class MountTable
{
    private const string MountsFile = "/proc/self/mounts";
    private const string MountInformation = "/proc/self/mountinfo";

    // Linux writes these letters as octal numbers.
    private static readonly (string Number, string Letter)[] s_letters =
    [
        (@"\040", " "),
        (@"\011", "\t"),
        (@"\012", "\n"),
        (@"\134", @"\"),
    ];

    /// <summary>Whether something is mounted at a place.</summary>
    /// <param name="directory">The full path.</param>
    public static bool Contains(string directory) => Places().Contains(Path.TrimEndingDirectorySeparator(directory));

    /// <summary>The places where something is mounted.</summary>
    public static IReadOnlyList<string> Places() => [.. Mounts().Select(mount => mount.Place)];

    /// <summary>The mounts: where, as what, and with which options.</summary>
    public static IEnumerable<(string Place, string Type, string Options)> Mounts() =>
        File.Exists(MountsFile)
            ? File.ReadLines(MountsFile)
                .Select(line => line.Split(' '))
                .Select(words => (Unescaped(words[1]), words[2], words[3]))
            : [];

    /// <summary>The numbers of the device that is mounted at a place, such as <c>7:0</c>; null where none is.</summary>
    /// <param name="directory">The full path.</param>
    public static string? DeviceAt(string directory) =>
        File.ReadLines(MountInformation)
            .Select(line => line.Split(' '))
            .LastOrDefault(words => Unescaped(words[4]) == Path.TrimEndingDirectorySeparator(directory))
            ?[2];

    private static string Unescaped(string place) =>
        s_letters.Aggregate(
            place,
            (text, letter) => text.Replace(letter.Number, letter.Letter, StringComparison.Ordinal)
        );
}
