using MqttCheck.Cli.Terminal;
using MqttCheck.Reports.Formats;
using MqttCheck.Text;

namespace MqttCheck.Cli.Results;

/// <summary>A result that can be written in every <see cref="ReportFormat"/>.</summary>
/// <param name="draw">Draws the result's pictures into a directory; null where it has none.</param>
internal sealed class ReportOutput(
    ReportedCases cases,
    Action<TextWriter> html,
    Action<TextWriter> markdown,
    Action<Stream> json,
    Func<string, IReadOnlyList<DrawnPicture>>? draw = null
)
{
    /// <summary>The variable that holds the path of a job summary in GitHub Actions.</summary>
    public const string SummaryVariable = "GITHUB_STEP_SUMMARY";

    private IReadOnlyList<DrawnPicture> _pictures = [];

    /// <summary>Whether the result has charts.</summary>
    public bool HasPictures => draw is not null;

    /// <summary>Draws the result's pictures; what is written afterwards shows or names them.</summary>
    /// <param name="directory">The directory of the files, which is created if need be.</param>
    public IReadOnlyList<DrawnPicture> Draw(string directory) => _pictures = draw?.Invoke(directory) ?? [];

    /// <summary>The format that the ending of a file name stands for: .html, .md, .json or .xml (JUnit).</summary>
    /// <exception cref="InputException">The ending is none of these.</exception>
    public static ReportFormat FormatOf(string path) =>
        Path.GetExtension(path).ToLowerInvariant() switch
        {
            ".html" or ".htm" => ReportFormat.Html,
            ".md" => ReportFormat.Markdown,
            ".json" => ReportFormat.Json,
            ".xml" => ReportFormat.JUnit,
            var other => throw new InputException(
                $"--out: ending '{other}' is not allowed; allowed: "
                    + ".html, .md, .json, .xml (JUnit), or any with --format."
            ),
        };

    /// <summary>Writes a file; an earlier one of that name is replaced whole.</summary>
    /// <param name="path">The path; its folder is created if need be.</param>
    public void Write(string path, ReportFormat format) =>
        AtomicFile.Write(path, stream => Write(stream, format, Path.GetDirectoryName(Path.GetFullPath(path))!));

    /// <summary>
    /// Prints the result to standard output. With annotations of GitHub Actions it also goes to the job's summary.
    /// </summary>
    public void Print(Screen screen, ReportFormat format)
    {
        if (format == ReportFormat.GitHub)
            Summarise(Environment.GetEnvironmentVariable(SummaryVariable));
        using var stream = new MemoryStream();
        Write(stream, format, Directory.GetCurrentDirectory());
        var text = System.Text.Encoding.UTF8.GetString(stream.ToArray());
        screen.Output.Profile.Out.Writer.Write(text.EndsWith('\n') ? text : text + "\n");
    }

    /// <summary>
    /// Appends the result to the job summary of GitHub Actions, where there is one. A summary cannot show files:
    /// pictures are named, as files of an artifact.
    /// </summary>
    public void Summarise(string? path)
    {
        if (string.IsNullOrEmpty(path))
            return;
        using var writer = File.AppendText(path);
        markdown(writer);
        PictureText.Name(writer, _pictures);
    }

    private void Write(Stream stream, ReportFormat format, string directory)
    {
        using var writer = new StreamWriter(stream, leaveOpen: true);
        switch (format)
        {
            case ReportFormat.Html:
                html(writer);
                break;
            case ReportFormat.Markdown:
                markdown(writer);
                PictureText.Show(writer, _pictures, directory);
                break;
            case ReportFormat.Json:
                json(stream);
                break;
            case ReportFormat.JUnit:
                JUnitReport.Write(stream, cases);
                break;
            case ReportFormat.GitHub:
                GitHubAnnotations.Write(writer, cases, _pictures);
                break;
        }
    }
}
