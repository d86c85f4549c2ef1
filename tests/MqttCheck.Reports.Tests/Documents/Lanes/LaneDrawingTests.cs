using System.Globalization;
using System.Text.RegularExpressions;
using FsCheck;
using FsCheck.Fluent;
using MqttCheck.Reports.Documents;
using MqttCheck.Reports.Documents.Lanes;

namespace MqttCheck.Reports.Tests.Documents.Lanes;

/// <summary>A picture of lanes.</summary>
[TestFixture]
internal sealed partial class LaneDrawingTests
{
    [Test]
    public void Every_column_that_counts_anything_has_a_mark_and_no_other_one() =>
        Check.One(
            Config.QuickThrowOnFailure.WithMaxTest(300),
            Prop.ForAll(
                Gen.OneOf(Gen.Constant(0), Gen.Choose(0, 3), Gen.Choose(0, 100_000)).ListOf().ToArbitrary(),
                counts =>
                {
                    var marked = new HashSet<int>();
                    foreach (Match bar in Bar().Matches(LaneDrawing.Outline([.. counts])))
                        for (var column = 0; column < Number(bar.Groups[2]); column++)
                            marked.Add(Number(bar.Groups[1]) + column);
                    return marked.SetEquals(counts.Index().Where(count => count.Item > 0).Select(count => count.Index));
                }
            )
        );

    [TestCase(30, new[] { 0.0, 10, 20, 30 })]
    [TestCase(26, new[] { 0.0, 10, 20 })]
    [TestCase(4.2, new[] { 0.0, 1, 2, 3, 4 })]
    [TestCase(.5, new[] { 0.0, .1, .2, .3, .4, .5 })]
    [TestCase(3600, new[] { 0.0, 1000, 2000, 3000 })]
    public void The_axis_has_a_few_round_numbers(double seconds, double[] ticks) =>
        Assert.That(LaneDrawing.Ticks(seconds), Is.EqualTo(ticks).Within(1e-9));

    [Test]
    public void A_strip_says_what_it_shows_without_colours_and_without_eyes()
    {
        var page = Written.Page(LaneSamples.Document());
        Assert.That(page, Does.Contain("<span>lost 3</span>"));
        Assert.That(page, Does.Contain("aria-label=\"hub, lost: 3, between 10 s and 15 s\""));
        Assert.That(page, Does.Contain("<strong>lost</strong> the broker acknowledged it"));
        Assert.That(page, Does.Contain("was killed at 10.0 s"));
        Assert.That(page, Does.Contain("<span>no message </span>"));
    }

    [Test]
    public void In_markdown_it_is_a_table_of_counts_and_a_story_a_list()
    {
        var text = Written.Markdown(LaneSamples.Document());
        Assert.That(text, Does.Contain("| place | faults | lost | in time |"));
        Assert.That(text, Does.Contain("| hub | was killed at 10.0 s, was back at 20.0 s | 3 | 40 |"));
        Assert.That(text, Does.Contain("- 10.000 s hub was killed"));
        Assert.That(text, Does.Contain("1 more of 'durability':"));
    }

    private static int Number(Group group) => int.Parse(group.Value, CultureInfo.InvariantCulture);

    [GeneratedRegex(@"M(\d+) 18h(\d+)v")]
    private static partial Regex Bar();
}
