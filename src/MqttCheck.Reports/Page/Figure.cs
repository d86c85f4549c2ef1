using MqttCheck.Reports.Marks;

namespace MqttCheck.Reports.Page;

/// <summary>
/// A chart: heading, explanation, an empty stage that the viewer draws on, and the table behind it. The table is open
/// in the page, and the viewer closes it once the chart stands; so without JavaScript, without the viewer and after an
/// error in it, the reader has the table.
/// </summary>
/// <param name="Id">Unique in the page.</param>
/// <param name="Title">The heading.</param>
/// <param name="Caption">The caption, which says what the chart shows and how to read it.</param>
/// <param name="Table">The numbers behind it.</param>
internal sealed record Figure(string Id, string Title, string Caption, Table Table)
{
    /// <summary>The chart; null where there is nothing to draw.</summary>
    public Chart? Chart { get; init; }

    /// <summary>The heading of a still picture of the chart, which stands alone.</summary>
    public string StillTitle { get; init; } = Title;

    /// <summary>The caption of a still picture of the chart, in which nothing can be chosen.</summary>
    public string StillCaption { get; init; } = Caption;

    /// <summary>The name of a still picture's files, which stays when the page gets other charts.</summary>
    public string StillName { get; init; } = Id;

    /// <summary>Whether the chart takes the whole width of the page.</summary>
    public bool Wide { get; init; }

    /// <summary>Writes the chart's element.</summary>
    public void Write(HtmlWriter html)
    {
        html.Figures.Add(this);
        html.Add($"""<figure class="card{(Wide ? " wide" : "")}" id="{Id}" data-chart>""");
        html.Add($"""<figcaption><h3 id="{Id}-title">{Title}</h3><p id="{Id}-caption">{Caption}</p></figcaption>""");
        WriteChoices(html);
        html.Add(
            $"""<div class="stage" hidden></div><details open><summary>Table<span class="unseen">: {Title}</span></summary>"""
        );
        Table.Write(html);
        html.Add($"</details></figure>");
    }

    private void WriteChoices(HtmlWriter html)
    {
        if (Chart is not { Choices.Count: > 0 } chart)
            return;
        html.Add($"""<p class="choices" hidden>""");
        foreach (var choice in chart.Choices)
        {
            var id = $"{Id}-{choice.Name}";
            html.Add(
                $"""<span><label for="{id}">{choice.Label}</label> <select id="{id}" data-choice="{choice.Name}">"""
            );
            foreach (var (value, text) in choice.Options)
                html.Add($"""<option value="{value}">{text}</option>""");
            html.Add($"</select></span>");
        }
        html.Add($"</p>");
    }
}
