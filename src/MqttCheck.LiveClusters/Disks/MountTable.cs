namespace MqttCheck.LiveClusters.Disks;

/// <summary>The places where something is mounted.</summary>
internal static class MountTable
{
    private const string Mounts = "/proc/self/mounts";

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
    public static IReadOnlyList<string> Places() =>
        File.Exists(Mounts) ? [.. File.ReadLines(Mounts).Select(line => Unescaped(line.Split(' ')[1]))] : [];

    private static string Unescaped(string place) =>
        s_letters.Aggregate(
            place,
            (text, letter) => text.Replace(letter.Number, letter.Letter, StringComparison.Ordinal)
        );
}
