namespace MqttCheck.Reports.Documents;

/// <summary>
/// A report of plain building blocks: one statement, then sections of tables and interval charts.
/// <see cref="HtmlDocument"/> and <see cref="MarkdownDocument"/> write it.
/// </summary>
internal sealed record ReportDocument
{
    /// <summary>The question that it answers.</summary>
    public required string Title { get; init; }

    /// <summary>The answer in a few words.</summary>
    public required string Headline { get; init; }

    /// <summary>How good the answer is.</summary>
    public DocumentTone Tone { get; init; }

    /// <summary>The subject of the answer and its certainty, in one or two sentences.</summary>
    public required string Lead { get; init; }

    /// <summary>When it was made.</summary>
    public required DateTimeOffset GeneratedUtc { get; init; }

    /// <summary>The version of the tool.</summary>
    public required string ToolVersion { get; init; }

    /// <summary>The warnings that the reader must know before believing the numbers, one sentence each.</summary>
    public IReadOnlyList<string> Warnings { get; init; } = [];

    /// <summary>The sections.</summary>
    public required IReadOnlyList<DocumentSection> Sections { get; init; }
}
