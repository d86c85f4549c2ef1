using System.Text;

namespace MqttCheck.Reports.Formats;

/// <summary>
/// Text inside Markdown. It is data: none of its characters may format the page, end a table cell or begin a tag.
/// </summary>
internal static class MarkdownText
{
    public static string Escape(string text)
    {
        var escaped = new StringBuilder(text.Length + 8);
        foreach (var character in text.ReplaceLineEndings(" "))
        {
            if (character is '<')
                escaped.Append("&lt;");
            else if (character is '&')
                escaped.Append("&amp;");
            else
            {
                if (character is '|' or '\\' or '`' or '*' or '_' or '[' or ']' or '~' or '>' or '#')
                    escaped.Append('\\');
                escaped.Append(character);
            }
        }
        return escaped.ToString();
    }

    /// <summary>Writes a table, with an empty line before it.</summary>
    public static void Table(
        TextWriter writer,
        IReadOnlyList<string> columns,
        IReadOnlyList<IReadOnlyList<string>> rows
    )
    {
        writer.Write(
            $"\n| {string.Join(" | ", columns.Select(Escape))} "
                + $"|\n|{string.Concat(Enumerable.Repeat("---|", columns.Count))}\n"
        );
        foreach (var row in rows)
            writer.Write($"| {string.Join(" | ", row.Select(Escape))} |\n");
    }
}
