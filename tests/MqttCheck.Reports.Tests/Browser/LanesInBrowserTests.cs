using Microsoft.Playwright;
using MqttCheck.Reports.Tests.Documents.Lanes;

namespace MqttCheck.Reports.Tests.Browser;

/// <summary>The page of a cluster's runs as a reader meets it, in headless Chromium.</summary>
[Category("Whole")]
public sealed class LanesInBrowserTests : BrowserFixture
{
    [TestCase(1280, ColorScheme.Light, false)]
    [TestCase(1280, ColorScheme.Dark, false)]
    [TestCase(390, ColorScheme.Light, false)]
    [TestCase(390, ColorScheme.Dark, false)]
    [TestCase(1280, ColorScheme.Light, true)]
    [TestCase(390, ColorScheme.Light, true)]
    public async Task Nothing_is_cut_or_covered_folded_or_open_and_axe_finds_nothing(
        int width,
        ColorScheme scheme,
        bool isOpen
    )
    {
        await using var open = await OpenAsync(width, scheme);
        if (isOpen)
            await open.Page.EvaluateAsync("document.querySelectorAll('details').forEach(fold => fold.open = true)");
        var name = $"lanes-{width}-{scheme}-{isOpen}";
        Assert.That(await ReportLook.FaultsAsync(open.Page, name), Is.Empty, name);
        Assert.That(await Chromium.ViolationsAsync(open.Page), Is.Empty, name);
        Assert.That(open.Complaints, Is.Empty);
    }

    // A column of a narrow screen is less than a pixel wide, and one lost message must be seen in it.
    [TestCase(1280)]
    [TestCase(390)]
    public async Task A_single_lost_message_is_at_least_a_pixel_wide(int width)
    {
        await using var open = await OpenAsync(width, ColorScheme.Light);
        var drawn = await open.Page.EvaluateAsync<double>(
            """
            () => {
              const path = document.querySelector('.strip svg path');
              return Number.parseFloat(getComputedStyle(path).strokeWidth) * (path.getAttribute('vector-effect') === 'non-scaling-stroke' ? 1 : 0);
            }
            """
        );
        Assert.That(drawn, Is.GreaterThanOrEqualTo(1));
    }

    private Task<OpenPage> OpenAsync(int width, ColorScheme scheme) =>
        Browser.OpenAsync(
            Write(Written.Page(LaneSamples.Document())),
            new()
            {
                ViewportSize = new() { Width = width, Height = 900 },
                ColorScheme = scheme,
                BypassCSP = true,
            },
            hasViewer: false
        );
}
