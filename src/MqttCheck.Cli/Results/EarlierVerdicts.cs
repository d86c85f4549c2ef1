using System.Text.RegularExpressions;
using MqttCheck.Reports.Input;

namespace MqttCheck.Cli.Results;

/// <summary>The verdicts of the run before on the same setups.</summary>
/// <param name="File">Their file.</param>
/// <param name="Verdicts">Its verdicts on profiles and numbers of clients that both runs verified.</param>
internal sealed partial record EarlierVerdicts(string File, IReadOnlyList<VerdictReport> Verdicts)
{
    // A folder may hold hundreds of runs; one that far back is no longer "the run before".
    private const int MostFilesRead = 10;

    /// <summary>
    /// Looks for the latest file before another in its folder. The time in the names decides, because the times of
    /// files change when they are copied.
    /// </summary>
    /// <param name="path">The verdict file of this run.</param>
    /// <param name="verdicts">The contents of that file.</param>
    /// <returns>Null where no earlier run verified any of its setups on the broker of that name.</returns>
    public static EarlierVerdicts? Before(string path, VerdictDocument verdicts)
    {
        var own = StampPattern().Match(Path.GetFileName(path));
        var folder = Path.GetDirectoryName(Path.GetFullPath(path));
        if (!own.Success || !Directory.Exists(folder))
            return null;
        var before = Directory
            .EnumerateFiles(folder, own.Groups["name"].Value + "-*.json")
            .Select(file => (File: file, Stamp: StampPattern().Match(Path.GetFileName(file))))
            .Where(one =>
                one.Stamp.Success
                && one.Stamp.Groups["name"].Value == own.Groups["name"].Value
                && string.CompareOrdinal(one.Stamp.Groups["time"].Value, own.Groups["time"].Value) < 0
            )
            .OrderByDescending(one => one.Stamp.Groups["time"].Value, StringComparer.Ordinal)
            .Take(MostFilesRead);
        foreach (var (file, _) in before)
        {
            if (Read(file) is not { } earlier || earlier.Broker.Name != verdicts.Broker.Name)
                continue;
            VerdictReport[] shared =
            [
                .. earlier.Verdicts.Where(one => verdicts.Verdicts.Any(now => now.Point.IsOfSetup(one.Point))),
            ];
            if (shared.Length > 0)
                return new(file, shared);
        }
        return null;
    }

    // A file that cannot be read is no reason to withhold the report of this run.
    private static VerdictDocument? Read(string file)
    {
        try
        {
            return VerdictFile.Read(file);
        }
        catch (InputException)
        {
            return null;
        }
    }

    [GeneratedRegex(@"^(?<name>.+)-(?<time>\d{8}-\d{6})\.json$")]
    private static partial Regex StampPattern();
}
