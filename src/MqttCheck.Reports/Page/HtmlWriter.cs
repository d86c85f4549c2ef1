using System.Globalization;
using System.Net;
using System.Runtime.CompilerServices;
using System.Text;

namespace MqttCheck.Reports.Page;

/// <summary>
/// Collects a page. Whatever fills a hole of an interpolated string is escaped, so that no text from a broker, a file
/// or a user can become markup.
/// </summary>
internal sealed class HtmlWriter
{
    private readonly StringBuilder _text = new();

    /// <summary>The charts that were written.</summary>
    public List<Figure> Figures { get; } = [];

    /// <summary>Appends markup with escaped holes. Attribute values must stand in double quotes.</summary>
    public HtmlWriter Add([InterpolatedStringHandlerArgument("")] ref Markup markup)
    {
        markup.Done();
        return this;
    }

    public override string ToString() => _text.ToString();

    [InterpolatedStringHandler]
    internal readonly ref struct Markup
    {
        private readonly StringBuilder _text;

        public Markup(int literalLength, int formattedCount, HtmlWriter writer)
        {
            _text = writer._text;
            _text.EnsureCapacity(_text.Length + literalLength + formattedCount * 8);
        }

        public void AppendLiteral(string markup) => _text.Append(markup);

        public void AppendFormatted(string? text) => _text.Append(WebUtility.HtmlEncode(text));

        public void AppendFormatted(int number) => _text.Append(CultureInfo.InvariantCulture, $"{number}");

        public void AppendFormatted(Html html) => _text.Append(html.Text);

        public void Done() => _text.Append('\n');
    }
}
