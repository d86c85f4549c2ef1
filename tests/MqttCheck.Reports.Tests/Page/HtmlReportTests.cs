using System.Text.RegularExpressions;
using MqttCheck.Predictions;
using MqttCheck.Reports.Input;
using MqttCheck.Verification;

namespace MqttCheck.Reports.Tests.Page;

public sealed partial class HtmlReportTests
{
    private const string Hostile = "</script><img src=x onerror=alert(1)>\" onload=\"x <!-- & '";

    [Test]
    public void Every_missing_part_names_the_command_that_produces_it()
    {
        var page = Written.Page(SampleReports.Empty);
        foreach (var command in (string[])["explore", "learn", "predict", "verify"])
            Assert.That(page, Does.Contain($"<code>mqttcheck {command}</code>"));
        Assert.That(page, Does.Contain("No data").And.Not.Contain("<figure").And.Not.Contain("NaN"));
    }

    [Test]
    public void Text_from_outside_never_becomes_markup()
    {
        var point = new PredictedPoint(Hostile, 10, 20, 0.9, new(0.8, 1));
        var prediction = SampleReports.Prediction("UP1", 10, 20) with { Profile = Hostile, Points = [point] };
        var page = Written.Page(
            SampleReports.Full(exchanges: 50, clients: [10]) with
            {
                Title = Hostile,
                ToolVersion = Hostile,
                Failure = Hostile,
                Warnings = [Hostile],
                Broker = new()
                {
                    Name = Hostile,
                    Version = Hostile,
                    Settings = Hostile,
                    Details = new Dictionary<string, string> { [Hostile] = Hostile },
                },
                Machine = new Dictionary<string, string> { [Hostile] = Hostile },
                Profiles = [new(Hostile, Hostile)],
                Reproduce = [new(Hostile, Hostile)],
                Predictions = [prediction],
                Verdicts =
                [
                    new()
                    {
                        Point = point,
                        Kind = VerdictKind.Worse,
                        Reason = Hostile,
                        MeasuredProbability = 0.5,
                        Paths =
                        [
                            new()
                            {
                                Name = Hostile,
                                LowerMeaning = Hostile,
                                LowerBound = -1,
                                UpperMeaning = Hostile,
                                UpperBound = 1,
                                Samples = [0, 1],
                                LogRatios = [0, 1],
                            },
                        ],
                    },
                ],
            },
            viewer: "0;"
        );
        Assert.That(page, Does.Not.Contain("<img").And.Not.Contain("<!--").And.Not.Contain("\" onload"));
        Assert.That(Regex.Count(page, "</script>"), Is.EqualTo(2), "one for the data, one for the viewer");
    }

    [Test]
    public void The_policy_of_the_page_forbids_the_network_and_every_script_but_the_viewer()
    {
        var page = Written.Page(SampleReports.Empty, viewer: "0;");
        // printf '0;' | openssl dgst -sha256 -binary | base64
        var policy = System.Net.WebUtility.HtmlDecode(
            Regex.Match(page, "Content-Security-Policy\" content=\"([^\"]*)").Groups[1].Value
        );
        Assert.That(
            policy,
            Does.StartWith("default-src 'none';")
                .And.Contain("script-src 'sha256-8atrH6Pge+As3TgWrRwcD2pUDCYuTIBfIIqQGFDl3eA=';")
        );
        Assert.That(Regex.Count(page, "://"), Is.Zero, "addresses in the page");
    }

    [TestCase(VerdictKind.Confirmed, "confirmed", "good")]
    [TestCase(VerdictKind.NotWorse, "≥.*not worse", "good")]
    [TestCase(VerdictKind.Worse, "worse", "bad")]
    [TestCase(VerdictKind.Better, "better", "warn")]
    [TestCase(VerdictKind.Withheld, "withheld", "warn")]
    [TestCase(VerdictKind.Partial, "partial", "warn")]
    public void A_verdict_is_said_in_words_and_colour(VerdictKind kind, string words, string tone)
    {
        var page = Written.Page(
            SampleReports.Empty with
            {
                Verdicts =
                [
                    new()
                    {
                        Point = new("UP1", 10, 20, 0.9, new(0.85, 0.95)),
                        Kind = kind,
                        Reason = "because of it",
                    },
                ],
            }
        );
        Assert.That(page, Does.Match($"class=\"chip {tone}\".*{words}</span>").And.Contain("Because of it."));
    }

    [Test]
    public void The_answer_comes_before_everything_and_what_limits_it_gravest_first()
    {
        var page = Written.Page(
            SampleReports.Full(exchanges: 10, clients: [10]) with
            {
                Coarse = true,
                Interrupted = true,
                Failure = "the broker closed the connection",
                Warnings = ["drift between runs"],
            }
        );
        var notices = NoticePattern().Matches(page).Select(match => match.Groups[1].Value);
        Assert.That(notices, Is.EqualTo(["Failed.", "Interrupted.", "Coarse.", "Note."]));
        string[] order = ["<h1>", "id=\"answer-sentence\"", "class=\"tiles\"", "<strong>Failed.", "<nav "];
        Assert.That(order.Select(part => page.IndexOf(part, StringComparison.Ordinal)), Is.Ordered.And.All.Positive);
    }

    [Test]
    public void Every_heading_is_followed_by_a_sentence_that_says_what_it_means()
    {
        var page = Written.Page(SampleReports.Full(exchanges: 500, clients: [10, 100]));
        foreach (Match heading in HeadingPattern().Matches(page))
            Assert.That(
                heading.Groups[2].Value,
                Does.Match("""^\s*<p (class="meaning"|id="[^"]*-caption")>[^<]{30,}"""),
                heading.Groups[1].Value
            );
        Assert.That(HeadingPattern().Count(page), Is.GreaterThan(12));
    }

    [Test]
    public void Every_chart_has_a_table_that_is_open_until_the_chart_stands()
    {
        var page = Written.Page(SampleReports.Full(exchanges: 500, clients: [10, 100]));
        Assert.That(Regex.Count(page, "<figure "), Is.EqualTo(22).And.EqualTo(Regex.Count(page, "<details open>")));
    }

    [Test]
    public void The_page_of_a_long_log_is_hardly_larger_than_that_of_a_short_one()
    {
        var small = Written.Page(SampleReports.Full(exchanges: 10_000, clients: [10]), viewer: "0;").Length;
        var large = Written.Page(SampleReports.Full(exchanges: 150_000, clients: [10]), viewer: "0;").Length;
        Assert.That(large, Is.LessThan(small * 1.25).And.LessThan(600_000));
    }

    [Test]
    public void A_profile_with_many_thresholds_keeps_those_that_were_verified()
    {
        var prediction = SampleReports.Prediction("UP1", 10, 100) with
        {
            Points = [.. Enumerable.Range(1, 40).Select(t => new PredictedPoint("UP1", 10, t, 0.5, new(0.4, 0.6)))],
        };
        var verdict = new VerdictReport
        {
            Point = prediction.Points[16],
            Kind = VerdictKind.Confirmed,
            Reason = "it holds",
        };
        var input = SampleReports.Empty with { Predictions = [prediction], Verdicts = [verdict] };
        var figure = HtmlReport.Figures(input).Single(figure => figure.Id == "probability-0");
        string[] thresholds = [.. figure.Chart!.EndNames.Select(end => end.Text)];
        Assert.That(thresholds, Has.Length.EqualTo(5).And.Unique);
        Assert.That(thresholds, Does.Contain("17 ms"));
        Assert.That(figure.Caption, Does.Contain("35 further thresholds left out here"));
    }

    [GeneratedRegex("""<div class="notice (?:failure|warning|note)"><strong>([^<]*)</strong>""")]
    private static partial Regex NoticePattern();

    [GeneratedRegex("""<h[23] id="[^"]*">([^<]*)</h[23]>(.{0,120})""", RegexOptions.Singleline)]
    private static partial Regex HeadingPattern();
}
