using System.Globalization;
using System.Text.RegularExpressions;
using MqttCheck.Reports.Page;

namespace MqttCheck.Reports.Tests.Page;

/// <summary>Contrast by the formula of WCAG 2.2 (relative luminance).</summary>
public sealed partial class ColourTests
{
    [Test]
    public void Text_and_lines_reach_a_contrast_of_4_5_on_their_surface_in_both_schemes()
    {
        foreach (var scheme in (int[])[1, 2])
        foreach (var ink in (string[])["ink", "soft", "good", "bad", "warn", "accent", "s1", "s2", "s3", "s4", "s5"])
        foreach (var surface in (string[])["surface", "page"])
            Assert.That(
                Contrast(Colour(ink, scheme), Colour(surface, scheme)),
                Is.GreaterThanOrEqualTo(4.5),
                $"{ink} on {surface}, scheme {scheme}"
            );
    }

    [Test]
    public void Numbers_in_the_correlation_matrix_reach_it_on_the_strongest_cell()
    {
        foreach (var scheme in (int[])[1, 2])
        foreach (var cell in (string[])["positive", "negative"])
            Assert.That(
                Contrast(Colour("ink", scheme), Colour(cell, scheme)),
                Is.GreaterThanOrEqualTo(4.5),
                $"{cell}, scheme {scheme}"
            );
    }

    private static string Colour(string name, int scheme)
    {
        var match = Regex.Match(Viewer.Style, $@"--{name}: light-dark\((#[0-9a-f]{{6}}), (#[0-9a-f]{{6}})\)");
        Assert.That(match.Success, $"no colour --{name}");
        return match.Groups[scheme].Value;
    }

    private static double Contrast(string a, string b)
    {
        var (high, low) = (Math.Max(Luminance(a), Luminance(b)), Math.Min(Luminance(a), Luminance(b)));
        return (high + 0.05) / (low + 0.05);
    }

    private static double Luminance(string colour)
    {
        double Channel(int at)
        {
            var value = int.Parse(colour.AsSpan(at, 2), NumberStyles.HexNumber, CultureInfo.InvariantCulture) / 255.0;
            return value <= 0.04045 ? value / 12.92 : Math.Pow((value + 0.055) / 1.055, 2.4);
        }
        return 0.2126 * Channel(1) + 0.7152 * Channel(3) + 0.0722 * Channel(5);
    }
}
