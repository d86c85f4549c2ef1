using MqttCheck.Cli.Terminal;
using MqttCheck.Reports.Formats;
using MqttCheck.Text;

namespace MqttCheck.Cli.Results;

/// <summary>A result that can be written in every <see cref="ReportFormat"/>.</summary>
/// <param name="draw">Draws the result's pictures into a directory; null where it has none.</param>
/// <param name="sketch">Draws the result's picture as text for a job summary; null where it has none.</param>
internal sealed class ReportOutput(
    ReportedCases cases,
    Action<TextWriter> html,
    Action<TextWriter> markdown,
    Action<Stream> json,
    Func<string, IReadOnlyList<DrawnPicture>>? draw = null,
    Action<TextWriter>? sketch = null
)
{
    /// <summary>The variable that holds the path of a job summary in GitHub Actions.</summary>
    public const string SummaryVariable = "GITHUB_STEP_SUMMARY";

    /// <summary>The result as cases of a test suite.</summary>
    public ReportedCases Cases => cases;

    /// <summary>Writes the result as a page.</summary>
    public Action<TextWriter> Html => html;

    /// <summary>Writes the result as Markdown.</summary>
    public Action<TextWriter> Markdown => markdown;

    /// <summary>Writes the result for programs.</summary>
    public Action<Stream> Json => json;

    /// <summary>The pictures that were drawn.</summary>
    public IReadOnlyList<DrawnPicture> Pictures { get; private set; } = [];

    /// <summary>Whether the result has charts.</summary>
    public bool HasPictures => draw is not null;

    /// <summary>Draws the result's pictures; what is written afterwards shows or names them.</summary>
    /// <param name="directory">The directory of the files, which is created if need be.</param>
    public IReadOnlyList<DrawnPicture> Draw(string directory) => Pictures = draw?.Invoke(directory) ?? [];

    /// <summary>Writes a file; an earlier one of that name is replaced whole.</summary>
    /// <param name="path">The path; its folder is created if need be.</param>
    public void Write(string path, ReportFormat format) =>
        AtomicFile.Write(path, stream => format.Write(this, stream, Path.GetDirectoryName(Path.GetFullPath(path))!));

    /// <summary>
    /// Prints the result to standard output. With annotations of GitHub Actions it also goes to the job's summary.
    /// </summary>
    public void Print(Screen screen, ReportFormat format)
    {
        if (format == ReportFormat.GitHub)
            Summarise(Environment.GetEnvironmentVariable(SummaryVariable));
        using var stream = new MemoryStream();
        format.Write(this, stream, Directory.GetCurrentDirectory());
        var text = System.Text.Encoding.UTF8.GetString(stream.ToArray());
        screen.Output.Writer.Write(Printable.Text(text.EndsWith('\n') ? text : text + "\n"));
    }

    /// <summary>
    /// Appends the result to the job summary of GitHub Actions, where there is one. A summary cannot show files:
    /// its picture is text, and pictures are named, as files of an artifact.
    /// </summary>
    public void Summarise(string? path)
    {
        if (string.IsNullOrEmpty(path))
            return;
        using var writer = File.AppendText(path);
        markdown(writer);
        sketch?.Invoke(writer);
        PictureText.Name(writer, Pictures);
    }
}
