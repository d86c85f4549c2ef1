namespace MqttCheck.Reports.Page;

/// <summary>A table of texts: the first column names the row, the others are numbers.</summary>
/// <param name="Label">What the table holds, for people who do not see where it stands.</param>
/// <param name="Columns">The headings.</param>
/// <param name="Rows">The cells, as many in each row as there are headings.</param>
internal sealed record Table(string Label, IReadOnlyList<string> Columns, IReadOnlyList<IReadOnlyList<string>> Rows)
{
    /// <summary>Writes the table in a region that scrolls sideways by itself, so that the page never does.</summary>
    public void Write(HtmlWriter html)
    {
        html.Add($"""<div class="scroll" tabindex="0" role="region" aria-label="{Label}"><table><thead><tr>""");
        foreach (var column in Columns)
            html.Add($"""<th scope="col">{column}</th>""");
        html.Add($"</tr></thead><tbody>");
        foreach (var row in Rows)
        {
            html.Add($"""<tr><th scope="row">{row[0]}</th>""");
            foreach (var cell in row.Skip(1))
                html.Add($"<td>{cell}</td>");
            html.Add($"</tr>");
        }
        html.Add($"</tbody></table></div>");
    }
}
