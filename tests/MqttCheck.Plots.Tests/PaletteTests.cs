using System.Text.RegularExpressions;
using MqttCheck.Reports.Marks;

namespace MqttCheck.Plots.Tests;

/// <summary>
/// One look: the page's own style sheet says which colours and fonts pictures have.
/// </summary>
public sealed partial class PaletteTests
{
    private static readonly string s_page = Read("src/MqttCheck.Reports/Page/page.css");

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
    public void Every_role_has_a_colour_and_every_symbol_a_marker()
    {
        foreach (var role in Enum.GetValues<Role>())
            Assert.That(
                Palette.Of(role).ToHex(),
                Is.EqualTo(Palette.Colours[role.ToString().ToLowerInvariant()]).IgnoreCase
            );
        Assert.That(Enum.GetValues<Symbol>().Select(Palette.Marker), Is.Unique);
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

    private static string Read(string path)
    {
        var directory = new DirectoryInfo(AppContext.BaseDirectory);
        while (!File.Exists(Path.Combine(directory!.FullName, "MqttCheck.sln")))
            directory = directory.Parent;
        return File.ReadAllText(Path.Combine(directory.FullName, path));
    }

    [GeneratedRegex(@"--([\w-]+): light-dark\((#\w+), #\w+\)")]
    private static partial Regex LightDark();

    [GeneratedRegex(@"\.stage svg \{[^}]*font: 12px ([^;]*);")]
    private static partial Regex StageFont();
}
