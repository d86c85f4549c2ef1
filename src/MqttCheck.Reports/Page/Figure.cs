namespace MqttCheck.Reports.Page;

/// <summary>
/// A chart: heading, explanation, an empty stage that the viewer draws on, and the table behind it. The table is open
/// in the page, and the viewer closes it once the chart stands; so without JavaScript, without the viewer and after an
/// error in it, the reader has the table.
/// </summary>
/// <param name="Id">Unique in the page.</param>
/// <param name="Chart">Which chart the viewer draws.</param>
/// <param name="Title">The heading.</param>
/// <param name="Caption">The caption, which says what the chart shows and how to read it.</param>
/// <param name="Table">The numbers behind it.</param>
internal sealed record Figure(string Id, string Chart, string Title, string Caption, Table Table)
{
    /// <summary>The caption of a still picture of the chart, in which nothing can be chosen.</summary>
    public string StillCaption { get; init; } = Caption;

    /// <summary>The values of the attributes <c>data-...</c> by name, which say what the chart shows.</summary>
    public IReadOnlyDictionary<string, string> Data { get; init; } = new Dictionary<string, string>();

    /// <summary>Whether the chart takes the whole width of the page.</summary>
    public bool Wide { get; init; }

    /// <summary>Whether the viewer puts choices above the chart.</summary>
    public Html Controls { get; init; } = new("");

    /// <summary>Writes the chart's element.</summary>
    public void Write(HtmlWriter html)
    {
        html.Figures.Add(this);
        html.Add($"""<figure class="card{(Wide ? " wide" : "")}" id="{Id}" data-chart="{Chart}" {Attributes()}>""");
        html.Add($"""<figcaption><h3 id="{Id}-title">{Title}</h3><p id="{Id}-caption">{Caption}</p></figcaption>""");
        html.Add(
            $"""{Controls}<div class="stage" hidden></div><details open><summary>Table<span class="unseen">: {Title}</span></summary>"""
        );
        Table.Write(html);
        html.Add($"</details></figure>");
    }

    private Html Attributes()
    {
        var attributes = new HtmlWriter();
        foreach (var (name, value) in Data)
            attributes.Add($"""data-{name}="{value}" """);
        return new(attributes.ToString().ReplaceLineEndings(""));
    }
}
