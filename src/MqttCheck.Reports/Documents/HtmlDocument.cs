using MqttCheck.Reports.Documents.Lanes;
using MqttCheck.Reports.Formats;
using MqttCheck.Reports.Page;
using static System.FormattableString;

namespace MqttCheck.Reports.Documents;

/// <summary>
/// Writes a document as one HTML file that needs nothing else: no network, no script, no second file.
/// </summary>
internal static class HtmlDocument
{
    private static readonly Dictionary<DocumentTone, string> s_tones = new()
    {
        [DocumentTone.Good] = "good",
        [DocumentTone.Bad] = "bad",
        [DocumentTone.Warning] = "warn",
        [DocumentTone.Plain] = "plain",
    };

    // A longer headline is a sentence, whose letters are smaller.
    private const int ShortHeadline = 40;

    /// <summary>Writes the page.</summary>
    /// <param name="writer">The writer of the page, in UTF-8; it stays open.</param>
    /// <param name="document">The document to show.</param>
    public static void Write(TextWriter writer, ReportDocument document)
    {
        var html = new HtmlWriter();
        html.Add(
            $"""
            <!doctype html><html lang="en"><head><meta charset="utf-8">
            <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="color-scheme" content="light dark">
            <meta name="generator" content="MqttCheck {document.ToolVersion}">
            <title>{document.Headline}</title>
            <link rel="icon" href="data:,">
            <style>{new Html(Viewer.Style)}</style>
            </head><body><main>
            <header><p class="eyebrow">MqttCheck {document.ToolVersion} · {Words.Time(
                document.GeneratedUtc
            )}</p><h1>{document.Title}</h1></header>
            <div class="tiles"><div class="tile {s_tones[document.Tone]}"><p class="label">Answer</p><p class="value{(document.Headline.Length > ShortHeadline ? " sentence" : "")}">{document.Headline}</p><p class="detail">{document.Lead}</p></div></div>
            """
        );
        foreach (var warning in document.Warnings)
            html.Add($"""<p class="notice warning"><strong>Note.</strong> {Words.Sentence(warning)}</p>""");
        foreach (var (section, number) in document.Sections.Select((section, index) => (section, index + 1)))
        {
            Section.Open(html, Invariant($"section-{number}"), section.Title, section.Meaning);
            foreach (var block in section.Blocks)
                Write(html, block);
            Section.Close(html);
        }
        html.Add($"</main></body></html>");
        writer.Write(html.ToString());
        writer.Flush();
    }

    private static void Write(HtmlWriter html, DocumentBlock block)
    {
        switch (block)
        {
            case DocumentTable table:
                html.Add($"""<div class="card flush">""");
                new Table(table.Label, table.Columns, table.Rows)
                {
                    IsStacked = table.IsText,
                    Wraps = table.IsText,
                }.Write(html);
                html.Add($"</div>");
                break;
            case IntervalChart chart:
                IntervalDrawing.Write(html, chart);
                break;
            case CurveChart chart:
                CurveDrawing.Write(html, chart);
                break;
            case LanePicture picture:
                LaneDrawing.Write(html, picture);
                break;
            case NetworkPicture network:
                NetworkDrawing.Write(html, network);
                break;
            case DocumentNote note:
                html.Add($"""<p class="fine">{note.Text}</p>""");
                break;
            case DocumentStory story:
                Write(html, story);
                break;
            case DocumentFold fold:
                html.Add($"""<details class="card"><summary>{fold.Title}</summary>""");
                foreach (var folded in fold.Blocks)
                    Write(html, folded);
                html.Add($"</details>");
                break;
            case DocumentCommand command:
                html.Add($"""<p class="purpose">{command.Purpose}</p><pre><code>{command.CommandLine}</code></pre>""");
                break;
            case DocumentListing listing:
                html.Add(
                    $"""<p class="purpose">{listing.Title}</p><pre><code>{string.Join('\n', listing.Lines)}</code></pre>"""
                );
                break;
            default:
                throw new ArgumentException($"A document cannot hold a {block.GetType().Name}.", nameof(block));
        }
    }

    private static void Write(HtmlWriter html, DocumentStory story)
    {
        html.Add($"""<div class="card story"><h3>{story.Title}</h3><p>{story.Meaning}</p>""");
        if (story.Steps.Count > 0)
        {
            html.Add($"<ol>");
            foreach (var (when, what) in story.Steps)
                html.Add($"<li><span>{when}</span> {what}</li>");
            html.Add($"</ol>");
        }
        html.Add($"</div>");
    }
}
