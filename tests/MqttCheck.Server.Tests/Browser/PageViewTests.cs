using Microsoft.Playwright;

namespace MqttCheck.Server.Tests.Browser;

/// <summary>The page as people meet it: wide and narrow, light and dark, by eye, keyboard and screen reader.</summary>
[TestFixture]
internal sealed class PageViewTests : PageFixture
{
    [Test]
    [Category("Whole")]
    public async Task Every_view_is_accessible_and_nothing_is_cut_or_covered()
    {
        var page = await OpenAsync(SharedPage.FewClients);
        await PageLook.LookAsync(page, "first");

        await page.Locator("#add").ClickAsync();
        await page.Locator("#profile").SelectOptionAsync("up2");
        await page.WaitForSelectorAsync("#comparison-figure svg");
        await PageBrowser.AnsweredAsync(page);
        await AskChangesAndClusterAsync(page);
        await page.Locator("#copy-command").ClickAsync();
        await page.Locator("#copied", new() { HasText = "copied" }).WaitForAsync();
        await page.Locator("#source summary").ClickAsync();
        await PageLook.LookAsync(page, "all");
    }

    // The charts of changes and of the cluster are drawn once, long before the window changes.
    [Test]
    [Category("Whole")]
    public async Task Every_chart_follows_the_width_of_the_window_and_can_be_taken_along()
    {
        var page = await OpenAsync(
            SharedPage.FewClients,
            new()
            {
                ViewportSize = new() { Width = 1280, Height = 900 },
            }
        );
        await page.Locator("#add").ClickAsync();
        await PageBrowser.AnsweredAsync(page);
        await AskChangesAndClusterAsync(page);
        await page.SetViewportSizeAsync(390, 844);
        await page.WaitForFunctionAsync(
            "() => [...document.querySelectorAll('figure .stage > svg')].every(svg => "
                + "Math.abs(svg.getAttribute('width') - svg.parentElement.clientWidth) < 2)"
        );
        string[] charts = ["curve-figure", "threshold-figure", "comparison-figure", "changes-figure", "cluster-figure"];
        foreach (var chart in charts)
        {
            Assert.That(await page.Locator($"#{chart} .stage > svg").CountAsync(), Is.EqualTo(1), chart);
            foreach (var (kind, ending) in ((string, string)[])[("CSV", ".csv"), ("PNG", ".png")])
            {
                var download = await page.RunAndWaitForDownloadAsync(() =>
                    page.Locator($"#{chart} .downloads button", new() { HasText = kind }).ClickAsync()
                );
                Assert.That(download.SuggestedFilename, Is.EqualTo(chart + ending));
            }
        }
    }

    private static async Task AskChangesAndClusterAsync(IPage page)
    {
        await page.Locator("#ask-changes").ClickAsync();
        await page.Locator("#fleet", new() { HasText = "All changes are tried." }).WaitForAsync();
        await page.Locator("#family").FillAsync("ring:3");
        await page.Locator("#properties").FillAsync("E[ lost ]");
        await page.Locator("#ask-cluster").ClickAsync();
        await page.Locator("#cluster-status", new() { HasText = "Simulated." }).WaitForAsync();
    }

    // Letters may be smoothed in another way on another machine, so the size is compared. With
    // MQTTCHECK_UPDATE_PICTURES=true the picture is made anew.
    [Test]
    [Category("Whole")]
    public async Task The_picture_in_the_manual_is_one_of_this_page()
    {
        var page = await OpenAsync(
            SharedPage.FewClients,
            new()
            {
                ViewportSize = new() { Width = 1180, Height = 860 },
            }
        );
        await page.Locator("#clients").FillAsync("120");
        await page.WaitForFunctionAsync(
            "() => document.getElementById('answer').textContent.startsWith('120 clients')"
        );
        await PageBrowser.AnsweredAsync(page);
        await page.EvaluateAsync("() => document.activeElement.blur()");
        var picture = await page.ScreenshotAsync();
        var file = RepositoryFiles.At("docs/images/what-if.png");
        if (Environment.GetEnvironmentVariable("MQTTCHECK_UPDATE_PICTURES") == "true")
            await File.WriteAllBytesAsync(file, picture);
        Assert.That(Size(await File.ReadAllBytesAsync(file)), Is.EqualTo(Size(picture)));

        // The size of a PNG file stands in its header.
        static string Size(byte[] png) => Convert.ToHexString(png.AsSpan(16, 8));
    }

    [Test]
    [Category("Whole")]
    public async Task Every_chart_has_its_table()
    {
        var page = await OpenAsync(SharedPage.FewClients);
        Assert.That(await page.Locator("figure").CountAsync(), Is.EqualTo(2));
        Assert.That(await page.Locator("figure:has(details table tbody tr)").CountAsync(), Is.EqualTo(2));
        Assert.That(await page.Locator("figure svg[role=img][aria-labelledby]").CountAsync(), Is.EqualTo(2));
    }

    [Test]
    [Category("Whole")]
    public async Task The_address_repeats_the_question()
    {
        var page = await OpenAsync(SharedPage.FewClients);
        await page.Locator("#clients").FillAsync("17");
        await page.Locator("#threshold").FillAsync("25");
        await page.Locator("#profile").SelectOptionAsync("up2");
        await page.WaitForFunctionAsync("() => document.getElementById('answer').textContent.startsWith('17 clients')");
        await PageBrowser.AnsweredAsync(page);
        var answer = await page.Locator("#answer").InnerTextAsync();
        var again = await OpenAsync(new Uri(page.Url).Fragment);
        Assert.That(
            (await again.Locator("#answer").InnerTextAsync(), await again.Locator("#profile").InputValueAsync()),
            Is.EqualTo((answer, "up2"))
        );
    }
}
