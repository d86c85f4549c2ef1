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
}
