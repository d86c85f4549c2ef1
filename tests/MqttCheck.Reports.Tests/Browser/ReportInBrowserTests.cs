using System.Globalization;
using Microsoft.Playwright;
using MqttCheck.Logs;
using MqttCheck.Reports.Builders;
using MqttCheck.Reports.Input;
using MqttCheck.Verification;

namespace MqttCheck.Reports.Tests.Browser;

/// <summary>The page as a reader meets it, in headless Chromium.</summary>
[Category("Whole")]
public sealed class ReportInBrowserTests : BrowserFixture
{
    private const string ScrollsSideways =
        "document.documentElement.scrollWidth > document.documentElement.clientWidth";

    private static readonly ReportInput Small = SampleReports.Full(
        exchanges: 600,
        clients: [10, 60, 150],
        replications: 200
    );

    private static IEnumerable<TestCaseData> Reports()
    {
        TestCaseData Case(string name, ReportInput input, int charts) =>
            new TestCaseData(input, charts).SetArgDisplayNames(name);
        var full = SampleReports.Full(exchanges: 8000);
        var failed = full.Verdicts[0] with
        {
            Kind = VerdictKind.Partial,
            Samples = 0,
            MeasuredProbability = double.NaN,
            MeasuredInterval = null,
            Paths = [],
        };
        yield return Case("full", full, 22);
        yield return Case("empty", SampleReports.Empty, 0);
        yield return Case(
            "one client, one message",
            SampleReports.Full(exchanges: 1, clients: [1], replications: 1),
            15
        );
        yield return Case("10,000 clients", SampleReports.Full(exchanges: 3000, clients: [1, 100, 10_000]), 22);
        yield return Case(
            "failed broker",
            full with
            {
                Failure = "the broker closed the connection",
                Predictions = [],
                Verdicts = [],
                Learning = null,
            },
            5
        );
        yield return Case("interrupted", full with { Interrupted = true, Verdicts = [failed], Predictions = [] }, 14);
        yield return Case(
            "every exchange failed",
            SampleReports.Empty with
            {
                Log = LogReportBuilder.From([
                    new() { Outcome = ExchangeOutcome.Timeout, LatencyMilliseconds = double.NaN },
                ]),
            },
            0
        );
        yield return Case(
            "prediction without distribution",
            SampleReports.Empty with
            {
                Predictions = [SampleReports.Prediction("UP1", 10, 50) with { SortedWorstMilliseconds = [] }],
            },
            1
        );
        yield return Case(
            "every simulated sequence failed",
            SampleReports.Empty with
            {
                Predictions =
                [
                    SampleReports.Predicted(
                        "UP1",
                        10,
                        2,
                        [double.NaN, double.NaN],
                        [new("UP1", 10, 20, 0, new(0, 0.9))]
                    ),
                ],
            },
            2
        );
    }

    [TestCaseSource(nameof(Reports))]
    public async Task Every_report_draws_all_its_charts_without_a_complaint(ReportInput input, int charts)
    {
        await using var open = await OpenAsync(input);
        Assert.That(
            await open.CountAsync("figure[data-chart]"),
            Is.EqualTo(await open.CountAsync("figure .stage > svg[role=img]")),
            "figures and drawings"
        );
        Assert.That(await open.CountAsync("figure .stage > svg[role=img]"), Is.EqualTo(charts));
        Assert.That(await open.CountAsync("figure details[open]"), Is.Zero);
        Assert.That(await open.CountAsync("#no-charts"), Is.Zero);
        Assert.That(
            await open.EvaluateAsync<bool>(
                "[...document.querySelectorAll('svg')].some(svg => /NaN|undefined/.test(svg.outerHTML))"
            ),
            Is.False,
            "a place or a colour in a drawing is not known"
        );
        Assert.That(await open.EvaluateAsync<bool>(ScrollsSideways), Is.False);
        Assert.That(open.Complaints, Is.Empty);
    }

    // The page must not grow with the log: what a reader waits for is the parts of a page, not the exchanges behind it.
    [Test]
    public async Task A_report_of_a_million_exchanges_has_no_more_parts_than_one_of_20_000()
    {
        var (few, many) = (
            Write(Written.PageWithViewer(SampleReports.Full(20_000))),
            Write(Written.PageWithViewer(SampleReports.Full(1_000_000)))
        );
        Assert.That(
            new FileInfo(many).Length,
            Is.LessThan(1.1 * new FileInfo(few).Length).And.LessThan(1_500_000),
            "bytes"
        );
        Assert.That(await PartsAsync(many), Is.LessThan(1.1 * await PartsAsync(few)).And.LessThan(10_000));
        async Task<int> PartsAsync(string file)
        {
            await using var open = await Browser.OpenAsync(file);
            Assert.That(open.Complaints, Is.Empty);
            return await open.CountAsync("*");
        }
    }

    [Test]
    public async Task More_clients_are_late_more_often()
    {
        await using var open = await OpenAsync(Small);
        async Task<double> ProbabilityAsync(string setup)
        {
            await open.Page.GetByLabel("Setup").SelectOptionAsync(new SelectOptionValue { Label = setup });
            return double.Parse(
                (await open.Page.Locator("[data-probability]").GetAttributeAsync("data-probability"))!,
                CultureInfo.InvariantCulture
            );
        }
        Assert.That(await ProbabilityAsync("UP1, 150 clients"), Is.LessThan(await ProbabilityAsync("UP1, 10 clients")));
        Assert.That(
            await ProbabilityAsync("UP2, 150 clients"),
            Is.LessThan(await ProbabilityAsync("UP1, 150 clients"))
        );
    }

    [Test]
    public async Task The_scatter_shows_the_column_and_kind_that_the_reader_chooses()
    {
        await using var open = await OpenAsync(Small);
        var figure = open.Page.Locator("#scatter");
        await figure.GetByLabel("Latency against").SelectOptionAsync(new SelectOptionValue { Label = "subscribers" });
        Assert.That(await figure.Locator(".stage > svg").TextContentAsync(), Does.Contain("subscribers"));
        await figure.GetByLabel("Kind of message").SelectOptionAsync("connect");
        Assert.That(await figure.Locator(".stage [data-part=dots] path").CountAsync(), Is.EqualTo(1));
    }

    [Test]
    public async Task Residuals_are_shown_against_the_feature_and_for_the_kind_that_the_reader_chooses()
    {
        await using var open = await OpenAsync(Small);
        var figure = open.Page.Locator("#residuals");
        Assert.That(
            await figure.Locator(".stage [data-part=dots] path").CountAsync(),
            Is.EqualTo(5),
            "a path for each kind"
        );
        await figure
            .GetByLabel("Residuals against")
            .SelectOptionAsync(new SelectOptionValue { Label = "active messages" });
        Assert.That(await figure.Locator(".stage > svg").TextContentAsync(), Does.Contain("active messages"));
        await figure.GetByLabel("Kind of message").SelectOptionAsync("connect");
        Assert.That(await figure.Locator(".stage [data-part=dots] path").CountAsync(), Is.EqualTo(1));
        Assert.That(await figure.Locator("details").TextContentAsync(), Does.Contain("active messages: 1"));
        Assert.That(open.Complaints, Is.Empty);
    }

    [Test]
    public async Task Without_JavaScript_every_table_is_open()
    {
        await using var open = await OpenAsync(Small, new() { JavaScriptEnabled = false });
        var figures = await open.CountAsync("figure[data-chart]");
        Assert.That(await open.CountAsync("figure details[open] table"), Is.EqualTo(figures).And.GreaterThan(10));
        Assert.That(await open.Page.Locator("#no-charts").IsVisibleAsync());
        Assert.That(await open.Page.Locator("#controls").IsVisibleAsync(), Is.False, "a slider that does nothing");
        Assert.That(await open.Page.Locator("figure svg").CountAsync(), Is.Zero);
        Assert.That(await open.Page.Locator(".results").InnerTextAsync(), Does.Contain("worse"));
    }

    [Test]
    public async Task A_chart_that_cannot_be_drawn_leaves_its_table_and_the_others()
    {
        var page = Written
            .PageWithViewer(Small)
            .Replace("\"pit\":{\"x\":", "\"pit\":{\"lost\":", StringComparison.Ordinal);
        await using var open = await Browser.OpenAsync(Write(page));
        Assert.That(await open.Page.Locator("#pit details[open]").CountAsync(), Is.EqualTo(1));
        Assert.That(await open.Page.Locator("#pit .stage").IsVisibleAsync(), Is.False);
        Assert.That(await open.Page.Locator("#quantiles svg").CountAsync(), Is.EqualTo(1));
        Assert.That(open.Complaints, Has.Count.EqualTo(1).And.One.StartsWith("pit:"));
    }

    [Test]
    public async Task On_a_phone_nothing_scrolls_sideways_with_and_without_JavaScript()
    {
        var file = Write(
            Written.PageWithViewer(Small with { Reproduce = [new("All", "mqttcheck run " + new string('x', 300))] })
        );
        foreach (var javaScript in (bool[])[true, false])
        {
            await using var open = await Browser.OpenAsync(
                file,
                new()
                {
                    ViewportSize = new() { Width = 390, Height = 844 },
                    JavaScriptEnabled = javaScript,
                }
            );
            var widest = await open.Page.Locator("main").EvaluateAsync<double>("main => main.scrollWidth");
            Assert.That(widest, Is.LessThanOrEqualTo(390), $"JavaScript {javaScript}");
            Assert.That(await open.Page.Locator(".results td[data-label=Verdict]").First.IsVisibleAsync());
        }
    }

    [Test]
    public async Task Charts_follow_the_width_of_the_window()
    {
        await using var open = await OpenAsync(Small);
        await open.Page.SetViewportSizeAsync(390, 844);
        await open.Page.WaitForFunctionAsync(
            "Number(document.querySelector('#comparison svg').getAttribute('width')) < 390"
        );
        Assert.That(open.Complaints, Is.Empty);
    }

    [Test]
    public async Task It_prints_in_the_light_scheme_with_its_charts()
    {
        await using var open = await OpenAsync(Small, new() { ColorScheme = ColorScheme.Dark });
        Assert.That(
            await open.EvaluateAsync<string>("getComputedStyle(document.body).backgroundColor"),
            Is.EqualTo("rgb(20, 23, 26)")
        );
        await open.Page.EmulateMediaAsync(new() { Media = Media.Print });
        Assert.That(
            await open.EvaluateAsync<string>("getComputedStyle(document.body).backgroundColor"),
            Is.EqualTo("rgb(255, 255, 255)")
        );
        Assert.That(await open.Page.Locator("#controls").IsVisibleAsync(), Is.False);
        Assert.That(await open.Page.Locator("#worst svg").IsVisibleAsync());
        var pdf = await open.Page.PdfAsync(new() { Format = "A4" });
        Assert.That(
            System.Text.Encoding.Latin1.GetString(pdf),
            Does.StartWith("%PDF").And.Match("/Count [3-9]\\b"),
            "three to nine pages"
        );
    }

    [Test]
    public async Task A_script_hidden_in_the_data_does_not_run()
    {
        const string hostile =
            "</script><script>document.title = 'forged'</script><img src=x onerror=\"document.title = 'forged'\">";
        var full = Small;
        await using var open = await OpenAsync(
            full with
            {
                Broker = new() { Name = hostile },
                Warnings = [hostile],
                Verdicts =
                [
                    full.Verdicts[0] with
                    {
                        Reason = hostile,
                        Paths =
                        [
                            .. full.Verdicts[0]
                                .Paths.Select(path => path with { Name = hostile, UpperMeaning = hostile }),
                        ],
                    },
                ],
            }
        );
        Assert.That(await open.Page.TitleAsync(), Is.Not.EqualTo("forged"));
        Assert.That(await open.CountAsync("img"), Is.Zero);
        Assert.That(open.Complaints, Is.Empty);
    }

    private Task<OpenPage> OpenAsync(ReportInput input, BrowserNewContextOptions? options = null) =>
        Browser.OpenAsync(Write(Written.PageWithViewer(input)), options);
}
