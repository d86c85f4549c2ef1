using System.Text.RegularExpressions;
using MqttCheck.Clients;

namespace MqttCheck.Plots.Tests;

/// <summary>
/// One look: the page's own style sheet and theme say which colours, symbols and fonts pictures have.
/// </summary>
public sealed partial class PaletteTests
{
    private static readonly string s_page = Read("src/MqttCheck.Reports/Page/page.css"),
        s_theme = Read("src/MqttCheck.Reports/viewer/src/theme.ts");

    [Test]
    public void Colours_are_the_light_ones_of_the_page()
    {
        var page = LightDark()
            .Matches(s_page)
            .ToDictionary(match => match.Groups[1].Value, match => match.Groups[2].Value);
        Assert.That(page, Has.Count.GreaterThanOrEqualTo(Palette.Colours.Count));
        foreach (var (name, colour) in Palette.Colours)
            Assert.That(colour, Is.EqualTo(page[name]), name);
        Assert.That(
            page.Keys.Except(Palette.Colours.Keys),
            Is.EquivalentTo(new[] { "page" }),
            "the ground around the cards is no part of a picture"
        );
    }

    [Test]
    public void Series_have_the_page_s_colours_and_symbols_in_its_order()
    {
        Assert.That(Listed("seriesColours"), Is.EqualTo(Enumerable.Range(1, 5).Select(i => $"var(--s{i})")));
        for (var i = 0; i < 7; i++)
            Assert.That(Palette.Series(i).ToHex(), Is.EqualTo(Palette.Colours[$"s{i % 5 + 1}"]).IgnoreCase);
        Assert.That(Palette.Symbols, Is.EqualTo(Listed("seriesSymbols")));
    }

    [Test]
    public void Kinds_of_messages_have_the_page_s_colours()
    {
        var kinds = Listed("kinds: readonly Kind\\[\\]");
        var colours = KindColours().Match(s_theme).Groups[1].Value.Split(',').Select(int.Parse).ToArray();
        Assert.That(kinds, Has.Length.EqualTo(Enum.GetValues<MessageKind>().Length));
        foreach (var kind in Enum.GetValues<MessageKind>())
            Assert.That(Palette.Kinds[kind], Is.EqualTo(colours[Array.IndexOf(kinds, kind.Name())]), kind.Name());
    }

    [Test]
    public void The_fonts_of_SVG_files_are_those_of_the_page_s_charts()
    {
        var fonts = StageFont().Match(s_page).Groups[1].Value;
        Assert.That(fonts, Is.EqualTo(Palette.FontFamily));
        var svg = new SvgPicture(Pictures.OfOthers()[0].ToSvg());
        Assert.That(
            svg.Root.Descendants()
                .Where(element => element.Name.LocalName == "text")
                .Select(text => text.Attribute("font-family")!.Value)
                .Distinct(),
            Is.EqualTo(new[] { fonts })
        );
    }

    private static string[] Listed(string name) =>
        [
            .. Quoted()
                .Matches(Regex.Match(s_theme, name + @" = \[([^\]]*)\]").Groups[1].Value)
                .Select(match => match.Groups[1].Value),
        ];

    private static string Read(string path)
    {
        var directory = new DirectoryInfo(AppContext.BaseDirectory);
        while (!File.Exists(Path.Combine(directory!.FullName, "MqttCheck.sln")))
            directory = directory.Parent;
        return File.ReadAllText(Path.Combine(directory.FullName, path));
    }

    [GeneratedRegex(@"--([\w-]+): light-dark\((#\w+), #\w+\)")]
    private static partial Regex LightDark();

    [GeneratedRegex("\"([^\"]*)\"")]
    private static partial Regex Quoted();

    [GeneratedRegex(@"\[([\d, ]+)\]\[kinds")]
    private static partial Regex KindColours();

    [GeneratedRegex(@"\.stage svg \{[^}]*font: 12px ([^;]*);")]
    private static partial Regex StageFont();
}
