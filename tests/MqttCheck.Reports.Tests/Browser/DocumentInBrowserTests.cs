using Microsoft.Playwright;
using MqttCheck.Reports.Documents;

namespace MqttCheck.Reports.Tests.Browser;

/// <summary>The pages of comparisons, findings and tests as a reader meets them, in headless Chromium.</summary>
[Category("Whole")]
public sealed class DocumentInBrowserTests : BrowserFixture
{
    [TestCase(1280, true)]
    [TestCase(390, true)]
    [TestCase(390, false)]
    [Category("Whole")]
    public async Task It_reads_on_any_width_with_and_without_JavaScript(int width, bool javaScript)
    {
        await using var open = await OpenAsync(
            new()
            {
                ViewportSize = new() { Width = width, Height = 844 },
                JavaScriptEnabled = javaScript,
            }
        );
        Assert.That(
            await open.Page.Locator("main").EvaluateAsync<double>("main => main.scrollWidth"),
            Is.LessThanOrEqualTo(width)
        );
        Assert.That(await open.Page.Locator("h1").InnerTextAsync(), Is.EqualTo("Which broker is faster?"));
        Assert.That(await open.Page.Locator("svg").First.IsVisibleAsync());
        Assert.That(await open.Page.Locator("pre").First.InnerTextAsync(), Does.Contain("0.0 ms  A  --> CONNECT"));
        Assert.That(open.Complaints, Is.Empty);
    }

    [Test]
    public async Task It_prints_in_the_light_scheme()
    {
        await using var open = await OpenAsync(new() { ColorScheme = ColorScheme.Dark });
        Assert.That(
            await open.EvaluateAsync<string>("getComputedStyle(document.body).backgroundColor"),
            Is.EqualTo("rgb(20, 23, 26)")
        );
        await open.Page.EmulateMediaAsync(new() { Media = Media.Print });
        Assert.That(
            await open.EvaluateAsync<string>("getComputedStyle(document.body).backgroundColor"),
            Is.EqualTo("rgb(255, 255, 255)")
        );
        Assert.That(
            System.Text.Encoding.Latin1.GetString(await open.Page.PdfAsync(new() { Format = "A4" })),
            Does.StartWith("%PDF")
        );
    }

    private Task<OpenPage> OpenAsync(BrowserNewContextOptions options) =>
        Browser.OpenAsync(Write(Written.Page(Document())), options, hasViewer: false);

    private static ReportDocument Document() =>
        new()
        {
            Title = "Which broker is faster?",
            Headline = "exec:\"old {port}\" is faster than " + new string('x', 60),
            Tone = DocumentTone.Bad,
            Lead = "All verdicts together are wrong with a probability of at most 0.01.",
            GeneratedUtc = DateTimeOffset.UnixEpoch,
            ToolVersion = "0.1.0",
            Warnings = ["a machine " + new string('y', 200)],
            Sections =
            [
                new(
                    "Result",
                    "For each point.",
                    [
                        new DocumentTable(
                            "Comparisons",
                            ["point", "first", "in time", "second", "in time", "verdict"],
                            [
                                .. Enumerable
                                    .Range(0, 40)
                                    .Select(i =>
                                        (IReadOnlyList<string>)
                                            [
                                                $"up1, {i} clients, 20 ms",
                                                "embedded:lognormal:5ms,0.5",
                                                "0.850",
                                                "embedded:lognormal:6ms,0.5",
                                                "0.700",
                                                "embedded:lognormal:5ms,0.5 is faster",
                                            ]
                                    ),
                            ]
                        ),
                        new IntervalChart(
                            "Difference",
                            "The first minus the second.",
                            -1,
                            1,
                            [
                                new(
                                    "a long label of a pair of brokers, up1, 100 clients, 20 ms",
                                    .15,
                                    new(.1, .2),
                                    DocumentTone.Bad
                                ),
                                new("none", double.NaN, null, DocumentTone.Warning),
                            ]
                        )
                        {
                            Marks = [new("no difference", 0)],
                            Band = new(-.1, .1),
                        },
                    ]
                ),
                new(
                    "Finding",
                    "What happened.",
                    [
                        new DocumentListing(
                            "Transcript",
                            [
                                "     0.0 ms  A  --> CONNECT client <a> clean session 1",
                                "     0.1 ms  A  <-- CONNACK " + new string('z', 300) + "   <==",
                            ]
                        ),
                    ]
                ),
                new(
                    "Repeat",
                    "The command.",
                    [new DocumentCommand("To repeat it", "mqttcheck compare --brokers " + new string('w', 300))]
                ),
            ],
        };
}
