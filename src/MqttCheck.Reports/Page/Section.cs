namespace MqttCheck.Reports.Page;

/// <summary>
/// A section of the page: its place in the list of contents, its heading, and one plain sentence that says what it
/// means.
/// </summary>
internal static class Section
{
    /// <summary>Opens a section.</summary>
    public static void Open(HtmlWriter html, string id, string heading, string meaning) =>
        html.Add(
            $"""<section id="{id}" aria-labelledby="{id}-heading"><h2 id="{id}-heading">{heading}</h2><p class="meaning">{meaning}</p>"""
        );

    /// <summary>Closes the section.</summary>
    public static void Close(HtmlWriter html) => html.Add($"</section>");

    /// <summary>Says which command produces what the section would show.</summary>
    public static void Missing(HtmlWriter html, string what, string command) =>
        html.Add($"""<p class="missing">{what} <code>{command}</code> produces it.</p>""");
}
