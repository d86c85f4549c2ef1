using System.Globalization;
using Microsoft.Playwright;
using MqttCheck.Reports.Builders;
using MqttCheck.Reports.Input;

namespace MqttCheck.Reports.Tests.Browser;

/// <summary>A reader reads values off the charts, and takes charts away as files.</summary>
[Category("Whole")]
public sealed class ChartsInBrowserTests : BrowserFixture
{
    private static readonly ReportInput s_report = SampleReports.WithPrevious(
        SampleReports.Full(exchanges: 3000, clients: [10, 60, 150], replications: 200)
    );

    // Latencies over a narrow range, a usual one and many powers of ten.
    [TestCase(1280, 1.0)]
    [TestCase(390, 1.0)]
    [TestCase(1280, .12)]
    [TestCase(390, .12)]
    [TestCase(1280, 4.0)]
    [TestCase(390, 4.0)]
    public async Task A_logarithmic_axis_has_at_least_four_ticks(int width, double power)
    {
        var log = SampleReports.Exchanges(2000);
        var input = s_report with
        {
            Log = LogReportBuilder.From([
                .. log.Select(exchange =>
                    exchange with
                    {
                        LatencyMilliseconds = 5 * Math.Pow(exchange.LatencyMilliseconds / 5, power),
                    }
                ),
            ]),
        };
        await using var open = await OpenAsync(input, width);
        // The texts beside a mark of an axis are its ticks; the name of the axis tells which is logarithmic.
        var ticks = await open.EvaluateAsync<string[]>(
            """
            [...document.querySelectorAll('.stage > svg')].flatMap(svg => ['x', 'y'].flatMap(axis => {
              const name = [...svg.querySelectorAll(`[data-part^="${axis}-axis label"]`)].map(one => one.textContent).join('');
              const texts = [...svg.querySelectorAll(`[data-part="${axis}-axis tick label"] text`)].filter(one => one.textContent !== '');
              return name.includes('(log)') ? [`${svg.closest('figure').id} ${axis}: ${texts.length}`] : [];
            }))
            """
        );
        Assert.That(ticks, Has.Length.GreaterThan(10));
        Assert.That(
            ticks.Where(one => int.Parse(one[(one.LastIndexOf(' ') + 1)..], CultureInfo.InvariantCulture) < 4),
            Is.Empty
        );
    }

    [Test]
    public async Task Series_differ_in_shape_and_not_in_colour_alone()
    {
        await using var open = await OpenAsync(s_report);
        foreach (var figure in (string[])["scatter", "residuals"])
        {
            var drawn = await open.EvaluateAsync<string[]>(
                $"[...document.querySelectorAll('#{figure} [data-part=dots] path')].map(one => one.dataset.shape)"
            );
            var explained = await open.EvaluateAsync<string[]>(
                $"[...document.querySelectorAll('#{figure} .legend path')].map(one => one.dataset.shape)"
            );
            Assert.That(drawn, Has.Length.EqualTo(5).And.Unique, figure);
            Assert.That(explained, Is.EquivalentTo(drawn), figure);
        }
    }

    [Test]
    public async Task Every_chart_says_more_under_the_pointer()
    {
        await using var open = await OpenAsync(s_report);
        foreach (var figure in await open.Page.Locator("figure[data-chart]").AllAsync())
        {
            var svg = figure.Locator(".stage > svg");
            await svg.ScrollIntoViewIfNeededAsync();
            var box = (await svg.BoundingBoxAsync())!;
            var said = "";
            for (var step = 1; step < 40 && said.Length == 0; step++)
            {
                var (x, y) = (box.X + (box.Width * (.2 + (.6 * (step * .618 % 1)))), box.Y + (box.Height * step / 41));
                await open.Page.Mouse.MoveAsync((float)x, (float)y);
                said = await svg.EvaluateAsync<string>(
                    "async svg => { await new Promise(requestAnimationFrame); "
                        + "return [...svg.querySelectorAll('[data-part=tip]')]"
                        + ".map(tip => tip.textContent).join(''); }"
                );
            }
            Assert.That(said, Has.Length.GreaterThan(5), await figure.GetAttributeAsync("id"));
        }
        Assert.That(open.Complaints, Is.Empty);
    }

    [Test]
    public async Task Every_chart_can_be_taken_along_as_numbers_and_as_a_picture()
    {
        await using var open = await OpenAsync(s_report);
        foreach (var figure in await open.Page.Locator("figure[data-chart]").AllAsync())
        {
            var id = await figure.GetAttributeAsync("id");
            var (name, csv) = await DownloadAsync(open.Page, figure, "CSV");
            Assert.That(name, Is.EqualTo(id + ".csv"));
            var rows = await figure.Locator("table tr").CountAsync();
            Assert.That(System.Text.Encoding.UTF8.GetString(csv).Split("\r\n"), Has.Length.EqualTo(rows + 1), id);

            (name, var png) = await DownloadAsync(open.Page, figure, "PNG");
            Assert.That(name, Is.EqualTo(id + ".png"));
            Assert.That(png[..4], Is.EqualTo((byte[])[0x89, (byte)'P', (byte)'N', (byte)'G']), id);
        }
        Assert.That(open.Complaints, Is.Empty);
    }

    [Test]
    public async Task The_numbers_of_a_chart_are_numbers_with_their_unit_in_the_heading()
    {
        await using var open = await OpenAsync(s_report);
        var (_, csv) = await DownloadAsync(open.Page, open.Page.Locator("#latency-time"), "CSV");
        var lines = System.Text.Encoding.UTF8.GetString(csv).Split("\r\n");
        Assert.That(lines[0], Is.EqualTo("seconds,exchanges,median (ms),99 % below (ms)"));
        Assert.That(
            double.TryParse(lines[1].Split(',')[2], NumberStyles.Float, CultureInfo.InvariantCulture, out var median)
        );
        Assert.That(median, Is.EqualTo(s_report.Log!.OverTime!.MedianMilliseconds[0]).Within(1).Percent);
    }

    // A picture outside of the page has no style sheet: its colours must be those that the reader sees.
    [Test]
    public async Task The_picture_of_a_chart_has_the_colours_of_the_page()
    {
        await using var open = await OpenAsync(s_report, scheme: ColorScheme.Dark);
        var (_, png) = await DownloadAsync(open.Page, open.Page.Locator("#histogram"), "PNG");
        var colours = await open.Page.EvaluateAsync<string[]>(
            """
            async data => {
              const image = new Image();
              image.src = 'data:image/png;base64,' + data;
              await image.decode();
              const canvas = document.createElement('canvas');
              [canvas.width, canvas.height] = [image.width, image.height];
              const context = canvas.getContext('2d');
              context.drawImage(image, 0, 0);
              const pixels = new Uint32Array(context.getImageData(0, 0, image.width, image.height).data.buffer);
              return [...new Set(pixels)].map(one => [one & 255, one >> 8 & 255, one >> 16 & 255].join(' '));
            }
            """,
            Convert.ToBase64String(png)
        );
        // The surface of a card, and the colour of publish, in the dark scheme of the page's sheet.
        Assert.That(colours, Does.Contain("29 33 38").And.Contain("90 180 236"));
    }

    [Test]
    public async Task A_threshold_can_be_typed_beside_the_slider()
    {
        await using var open = await OpenAsync(s_report);
        var box = open.Page.GetByLabel("Threshold, ms");
        var slider = open.Page.GetByRole(AriaRole.Slider, new() { Name = "Threshold" });
        Assert.That(await box.InputValueAsync(), Is.EqualTo("20"), "the threshold of the first verdict");
        await box.FillAsync("17.3");
        var sorted = s_report.Predictions.First(one => one is { Profile: "UP1", Clients: 60 }).SortedWorstMilliseconds;
        Assert.That(
            double.Parse(
                (await open.Page.Locator("[data-probability]").GetAttributeAsync("data-probability"))!,
                CultureInfo.InvariantCulture
            ),
            Is.EqualTo(sorted.Count(latency => latency < 17.3) / (double)sorted.Count).Within(1e-9)
        );
        Assert.That(await slider.GetAttributeAsync("aria-valuetext"), Is.EqualTo("17.3 ms"));
        Assert.That(await open.Page.Locator("#worst svg").TextContentAsync(), Does.Contain("17.3 ms"));
        var curve = await open.Page.Locator("#worst svg").InnerHTMLAsync();
        await slider.PressAsync("ArrowRight");
        Assert.That(await open.Page.Locator("#worst svg").InnerHTMLAsync(), Is.Not.EqualTo(curve), "its line moves");
        var moved = double.Parse(await box.InputValueAsync(), CultureInfo.InvariantCulture);
        Assert.That(moved, Is.GreaterThan(17.3).And.LessThan(18.5), "the slider went on from what was typed");
        foreach (var (key, probability) in new[] { ("End", "1"), ("Home", "0") })
        {
            await slider.PressAsync(key);
            Assert.That(
                await open.Page.Locator("[data-probability]").GetAttributeAsync("data-probability"),
                Is.EqualTo(probability)
            );
        }
        Assert.That(open.Complaints, Is.Empty);
    }

    [Test]
    public async Task The_run_before_stands_beside_this_one()
    {
        await using var open = await OpenAsync(s_report);
        var row = open.Page.Locator("#previous tbody tr").Nth(2);
        var (now, before) = (s_report.Verdicts[2], s_report.PreviousVerdicts[2]);
        var text = await row.InnerTextAsync();
        Assert.That(text, Does.Contain(now.MeasuredProbability.ToString("0.000", CultureInfo.InvariantCulture)));
        Assert.That(text, Does.Contain(before.MeasuredProbability.ToString("0.000", CultureInfo.InvariantCulture)));
        Assert.That(text, Does.Contain("+0.030").And.Contain("confirmed").And.Contain("worse"));
    }

    [Test]
    public async Task A_long_name_of_a_profile_is_not_cut()
    {
        var name = "sensors-of-the-northern-plant-every-five-seconds-and-dashboards";
        var input = s_report with
        {
            Verdicts =
            [
                .. s_report.Verdicts.Select(verdict => verdict with { Point = verdict.Point with { Profile = name } }),
            ],
        };
        await using var open = await OpenAsync(input);
        Assert.That(
            await open.EvaluateAsync<bool>(
                "(() => { const figure = document.getElementById('comparison').getBoundingClientRect(); "
                    + "return [...document.querySelectorAll('#comparison svg text')].every(text => "
                    + "{ const box = text.getBoundingClientRect(); "
                    + "return box.left >= figure.left && box.right <= figure.right; }); })()"
            )
        );
    }

    private static async Task<(string Name, byte[] Content)> DownloadAsync(IPage page, ILocator figure, string what)
    {
        // Chromium drops downloads of a page beyond ten in a second.
        await page.WaitForTimeoutAsync(150);
        var download = await page.RunAndWaitForDownloadAsync(() =>
            figure.Locator(".downloads button", new() { HasText = what }).ClickAsync()
        );
        return (download.SuggestedFilename, await File.ReadAllBytesAsync(await download.PathAsync()));
    }

    private async Task<OpenPage> OpenAsync(ReportInput input, int width = 1280, ColorScheme scheme = ColorScheme.Light)
    {
        return await Browser.OpenAsync(
            Write(Written.PageWithViewer(input)),
            new()
            {
                ViewportSize = new() { Width = width, Height = 900 },
                ColorScheme = scheme,
            }
        );
    }
}
