using System.Text.RegularExpressions;
using MqttCheck.Reports.Documents;

namespace MqttCheck.Reports.Tests.Documents;

[TestFixture]
internal sealed class CurveChartTests
{
    private static readonly CurveChart s_chart = new(
        "Latency",
        "Both axes are logarithmic.",
        "load <1/s>",
        "ms",
        [new("p50", [new(1000, .05), new(10_000, 200)]), new("p99", [new(1000, 1), new(10_000, 201)]), new("none", [])]
    )
    {
        Marks = [new("knee", 5000)],
    };

    [Test]
    public void A_page_draws_each_curve_with_its_name_and_escapes_labels()
    {
        var page = Written.Page(Document(s_chart));
        Assert.That(Regex.Count(page, "<polyline"), Is.EqualTo(2));
        Assert.That(page, Does.Contain("load &lt;1/s&gt;").And.Contain(">knee</text>").And.Not.Contain("NaN"));
    }

    [Test]
    public void Names_of_curves_that_end_together_do_not_cover_each_other()
    {
        var at = Regex
            .Matches(Written.Page(Document(s_chart)), @"y=""([0-9.]+)""[^>]*>(p50|p99)</text>")
            .ToDictionary(
                match => match.Groups[2].Value,
                match => double.Parse(match.Groups[1].Value, System.Globalization.CultureInfo.InvariantCulture)
            );
        Assert.That(at["p50"] - at["p99"], Is.GreaterThanOrEqualTo(12.9), "the higher curve has the higher name");
    }

    [Test]
    public void Without_points_nothing_is_drawn() =>
        Assert.That(Written.Page(Document(s_chart with { Lines = [new("none", [])] })), Does.Not.Contain("<svg"));

    [Test]
    public void Markdown_is_a_table()
    {
        Assert.That(
            Written.Markdown(Document(s_chart)),
            Does.Contain("| 1000 | 0.05 | 1 |  |").And.Contain("| 10000 | 200 | 201 |  |")
        );
    }

    [Test]
    public void Ticks_are_round_numbers_inside_the_range()
    {
        Assert.That(
            CurveDrawing.Ticks(900, 55_000),
            Is.EqualTo((double[])[1000, 2000, 5000, 10_000, 20_000, 50_000]).Within(1e-6)
        );
        Assert.That(CurveDrawing.Ticks(.04, 300), Is.EqualTo((double[])[.1, 1, 10, 100]).Within(1e-9));
    }

    private static ReportDocument Document(CurveChart chart) =>
        new()
        {
            Title = "Load",
            Headline = "So much",
            Lead = "As measured.",
            GeneratedUtc = DateTimeOffset.UnixEpoch,
            ToolVersion = "0.1.0",
            Sections = [new("Load", "Curves.", [chart])],
        };
}
