using MqttCheck.Reports.Formats;

namespace MqttCheck.Cli.Results;

/// <summary>A form in which results are written. A new one is a line here, and in <see cref="All"/>.</summary>
/// <param name="Name">The word that chooses it.</param>
/// <param name="Meaning">What it is, where the word does not say it.</param>
/// <param name="Endings">The endings of its files, the usual one first.</param>
/// <param name="Write">Writes a result to a stream; paths of pictures are relative to a directory.</param>
internal sealed record ReportFormat(
    string Name,
    string Meaning,
    IReadOnlyList<string> Endings,
    Action<ReportOutput, Stream, string> Write
)
{
    /// <summary>One page.</summary>
    public static ReportFormat Html { get; } =
        new("html", "", [".html", ".htm"], (output, stream, _) => Text(stream, output.Html));

    /// <summary>Markdown of GitHub's dialect.</summary>
    public static ReportFormat Markdown { get; } =
        new(
            "markdown",
            "",
            [".md"],
            (output, stream, directory) =>
                Text(
                    stream,
                    writer =>
                    {
                        output.Markdown(writer);
                        PictureText.Show(writer, output.Pictures, directory);
                    }
                )
        );

    /// <summary>For programs.</summary>
    public static ReportFormat Json { get; } = new("json", "", [".json"], (output, stream, _) => output.Json(stream));

    /// <summary>JUnit XML.</summary>
    public static ReportFormat JUnit { get; } =
        new("junit", "XML", [".xml"], (output, stream, _) => JUnitReport.Write(stream, output.Cases));

    /// <summary>Annotations of GitHub Actions.</summary>
    public static ReportFormat GitHub { get; } =
        new(
            "github",
            "annotations of GitHub Actions",
            [],
            (output, stream, _) =>
                Text(stream, writer => GitHubAnnotations.Write(writer, output.Cases, output.Pictures))
        );

    /// <summary>Every format.</summary>
    public static IReadOnlyList<ReportFormat> All { get; } = [Html, Markdown, Json, JUnit, GitHub];

    /// <summary>The words of all formats with their meanings, for a help text.</summary>
    public static string Words
    {
        get
        {
            string[] words = [.. All.Select(one => one.Meaning == "" ? one.Name : $"{one.Name} ({one.Meaning})")];
            return $"{string.Join(", ", words[..^1])} or {words[^1]}";
        }
    }

    /// <summary>The usual ending of each format.</summary>
    public static string AllEndings => string.Join(", ", All.SelectMany(format => format.Endings.Take(1)));

    /// <summary>The format that the ending of a file name stands for.</summary>
    /// <exception cref="InputException">The ending is that of no format.</exception>
    public static ReportFormat Of(string path)
    {
        var ending = Path.GetExtension(path).ToLowerInvariant();
        return All.FirstOrDefault(format => format.Endings.Contains(ending))
            ?? throw new InputException(
                $"--out: ending '{ending}' is not allowed; allowed: " + $"{AllEndings}, or any with --format."
            );
    }

    private static void Text(Stream stream, Action<TextWriter> write)
    {
        using var writer = new StreamWriter(stream, leaveOpen: true);
        write(writer);
    }
}
