namespace MqttCheck.Reports.Page;

/// <summary>A table of texts: the first column names the row, the others are numbers.</summary>
/// <param name="Label">The contents of the table, for people who do not see where it stands.</param>
/// <param name="Columns">The headings.</param>
/// <param name="Rows">The cells, as many in each row as there are headings.</param>
internal sealed record Table(string Label, IReadOnlyList<string> Columns, IReadOnlyList<IReadOnlyList<string>> Rows)
{
    /// <summary>
    /// Whether a row becomes a block of labelled lines on a narrow screen. A table behind a chart scrolls sideways
    /// there; one that every reader meets shows all its columns.
    /// </summary>
    public bool IsStacked { get; init; }

    /// <summary>Whether its cells are sentences, which wrap, and not numbers.</summary>
    public bool Wraps { get; init; }

    private string Class => (IsStacked ? "stacked" : "") + (Wraps ? " text" : "");

    /// <summary>Writes the table in a region that scrolls sideways by itself, so that the page never does.</summary>
    public void Write(HtmlWriter html)
    {
        html.Add($"""<div class="scroll" tabindex="0" role="region" aria-label="{Label}">""");
        html.Add($"""<table class="{Class}"><thead><tr>""");
        foreach (var column in Columns)
            html.Add($"""<th scope="col">{column}</th>""");
        html.Add($"</tr></thead><tbody>");
        foreach (var row in Rows)
        {
            html.Add($"""<tr><th scope="row">{row[0]}</th>""");
            for (var i = 1; i < row.Count; i++)
            {
                if (IsStacked)
                    html.Add($"""<td data-label="{Columns[i]}">{row[i]}</td>""");
                else
                    html.Add($"<td>{row[i]}</td>");
            }
            html.Add($"</tr>");
        }
        html.Add($"</tbody></table></div>");
    }
}
