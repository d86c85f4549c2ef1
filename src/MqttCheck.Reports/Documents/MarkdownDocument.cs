using System.Globalization;
using MqttCheck.Reports.Documents.Lanes;
using MqttCheck.Reports.Formats;
using static MqttCheck.Reports.Formats.MarkdownText;

namespace MqttCheck.Reports.Documents;

/// <summary>Writes a document as Markdown (GitHub's dialect), for a job summary or a pull request.</summary>
internal static class MarkdownDocument
{
    /// <summary>Writes the document.</summary>
    /// <param name="writer">The writer of the text; it stays open.</param>
    /// <param name="document">The document to write.</param>
    public static void Write(TextWriter writer, ReportDocument document)
    {
        writer.Write(
            $"# {Escape(document.Title)}\n\n**{Escape(document.Headline)}.** "
                + $"{Escape(document.Lead)}\n\n{Words.Time(document.GeneratedUtc)}, "
                + $"MqttCheck {Escape(document.ToolVersion)}.\n"
        );
        foreach (var warning in document.Warnings)
            writer.Write($"\n> **Note.** {Escape(Words.Sentence(warning))}\n");
        foreach (var section in document.Sections)
        {
            writer.Write($"\n## {Escape(section.Title)}\n\n{Escape(section.Meaning)}\n");
            foreach (var block in section.Blocks)
                Write(writer, block);
        }
    }

    private static void Write(TextWriter writer, DocumentBlock block)
    {
        switch (block)
        {
            case DocumentTable table:
                Table(writer, table.Columns, table.Rows);
                break;
            case IntervalChart chart:
                writer.Write(
                    $"\n{Escape($"{chart.Title}. {chart.Explanation} {IntervalDrawing.Marks(chart)}".TrimEnd())}\n"
                );
                Table(
                    writer,
                    ["", "estimate", "interval"],
                    [
                        .. chart.Lines.Select(line =>
                            (IReadOnlyList<string>)
                                [line.Label, IntervalDrawing.Number(line.Estimate), IntervalDrawing.Interval(line)]
                        ),
                    ]
                );
                break;
            case CurveChart chart:
                Write(writer, chart);
                break;
            case LanePicture picture:
                Write(writer, picture);
                break;
            case NetworkPicture:
                break;
            case DocumentNote note:
                writer.Write($"\n{Escape(note.Text)}\n");
                break;
            case DocumentStory story:
                Write(writer, story);
                break;
            case DocumentFold fold:
                writer.Write($"\n{Escape(fold.Title)}:\n");
                foreach (var folded in fold.Blocks)
                    Write(writer, folded);
                break;
            case DocumentCommand command:
                writer.Write($"\n{Escape(command.Purpose)}:\n\n    {command.CommandLine.ReplaceLineEndings(" ")}\n");
                break;
            case DocumentListing listing:
                var lines = listing.Lines.Select(line => $"    {line.ReplaceLineEndings(" ")}\n");
                writer.Write($"\n{Escape(listing.Title)}:\n\n{string.Concat(lines)}");
                break;
            default:
                throw new ArgumentException($"A document cannot hold a {block.GetType().Name}.", nameof(block));
        }
    }

    private static void Write(TextWriter writer, CurveChart chart)
    {
        writer.Write($"\n{Escape($"{chart.Title}. {chart.Explanation}")}\n");
        Table(
            writer,
            [chart.XLabel, .. chart.Lines.Select(line => $"{line.Label}, {chart.YLabel}")],
            [
                .. chart
                    .Lines.SelectMany(line => line.Points.Select(point => point.X))
                    .Distinct()
                    .Order()
                    .Select(x =>
                        (IReadOnlyList<string>)
                            [
                                Number(x),
                                .. chart.Lines.Select(line =>
                                    line.Points.Where(point => point.X == x)
                                        .Select(point => Number(point.Y))
                                        .FirstOrDefault("")
                                ),
                            ]
                    ),
            ]
        );
    }

    private static void Write(TextWriter writer, LanePicture picture)
    {
        writer.Write($"\n{Escape($"{picture.Title}. {picture.Explanation}")}\n");
        Table(
            writer,
            ["place", "faults", .. picture.Meanings.Select(meaning => meaning.Word)],
            [.. picture.Lanes.Select(lane => RowOf(picture, lane))]
        );
    }

    private static void Write(TextWriter writer, DocumentStory story)
    {
        writer.Write($"\n**{Escape(story.Title)}.** {Escape(Words.Sentence(story.Meaning))}\n");
        if (story.Steps.Count > 0)
            writer.Write("\n");
        foreach (var (when, what) in story.Steps)
            writer.Write($"- {Escape(when)} {Escape(what)}\n");
    }

    private static IReadOnlyList<string> RowOf(LanePicture picture, PictureLane lane) =>
        [
            lane.Name,
            string.Join("; ", lane.Notes),
            .. picture.Meanings.Select(meaning =>
                lane.Strips.Where(strip => strip.Word == meaning.Word)
                    .Sum(strip => strip.Total)
                    .ToString(CultureInfo.InvariantCulture)
            ),
        ];

    private static string Number(double value) => value.ToString("0.###", CultureInfo.InvariantCulture);
}
