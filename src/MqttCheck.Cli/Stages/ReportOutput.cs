using MqttCheck.Cli.Terminal;
using MqttCheck.Reports.Formats;

namespace MqttCheck.Cli.Stages;

/// <summary>A result that can be written in every <see cref="ReportFormat"/>.</summary>
/// <param name="cases">The result as cases.</param>
/// <param name="html">Writes the page.</param>
/// <param name="markdown">Writes Markdown.</param>
/// <param name="json">Writes JSON as UTF-8.</param>
public sealed class ReportOutput(ReportedCases cases, Action<TextWriter> html, Action<TextWriter> markdown, Action<Stream> json)
{
    /// <summary>The format that the ending of a file name stands for: .html, .md, .json or .xml (JUnit).</summary>
    /// <param name="path">The file.</param>
    /// <exception cref="InputException">The ending is none of these.</exception>
    public static ReportFormat FormatOf(string path) => Path.GetExtension(path).ToLowerInvariant() switch
    {
        ".html" or ".htm" => ReportFormat.Html,
        ".md" => ReportFormat.Markdown,
        ".json" => ReportFormat.Json,
        ".xml" => ReportFormat.JUnit,
        var other => throw new InputException($"--out: ending '{other}' is not allowed; allowed: .html, .md, .json, .xml (JUnit), or any with --format."),
    };

    /// <summary>Writes a file; an earlier one of that name is replaced whole.</summary>
    /// <param name="path">The path; its folder is created if need be.</param>
    /// <param name="format">The format, not <see cref="ReportFormat.Text"/>.</param>
    public void Write(string path, ReportFormat format)
    {
        Directory.CreateDirectory(Path.GetDirectoryName(Path.GetFullPath(path))!);
        var temporary = path + ".tmp";
        using (var stream = File.Create(temporary)) Write(stream, format);
        File.Move(temporary, path, overwrite: true);
    }

    /// <summary>Prints the result to standard output.</summary>
    /// <param name="screen">Where to.</param>
    /// <param name="format">The format, not <see cref="ReportFormat.Text"/>.</param>
    public void Print(Screen screen, ReportFormat format)
    {
        ArgumentNullException.ThrowIfNull(screen);
        using var stream = new MemoryStream();
        Write(stream, format);
        var text = System.Text.Encoding.UTF8.GetString(stream.ToArray());
        screen.Output.Profile.Out.Writer.Write(text.EndsWith('\n') ? text : text + "\n");
    }

    private void Write(Stream stream, ReportFormat format)
    {
        using var writer = new StreamWriter(stream, leaveOpen: true);
        switch (format)
        {
            case ReportFormat.Html:
                html(writer);
                break;
            case ReportFormat.Markdown:
                markdown(writer);
                break;
            case ReportFormat.Json:
                json(stream);
                break;
            case ReportFormat.JUnit:
                JUnitReport.Write(stream, cases);
                break;
            case ReportFormat.GitHub:
                GitHubAnnotations.Write(writer, cases);
                break;
            default:
                throw new ArgumentOutOfRangeException(nameof(format), format, "is printed by its own table");
        }
    }
}
