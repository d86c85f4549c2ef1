using Microsoft.Playwright;
using MqttCheck.Reports.Input;

namespace MqttCheck.Reports.Tests.Browser;

/// <summary>The report as people see it: wide and narrow, light and dark, and on paper.</summary>
[Category("Whole")]
public sealed class ReportLookTests : BrowserFixture
{
    private static readonly ReportInput s_report = SampleReports.WithPrevious(
        SampleReports.Full(exchanges: 4000, clients: [10, 60, 150], replications: 200)
    );

    private string _file = "";

    [OneTimeSetUp]
    public void WritePage() => _file = Write(Written.PageWithViewer(s_report));

    [TestCase(1280, ColorScheme.Light, Media.Screen)]
    [TestCase(1280, ColorScheme.Dark, Media.Screen)]
    [TestCase(390, ColorScheme.Light, Media.Screen)]
    [TestCase(390, ColorScheme.Dark, Media.Screen)]
    [TestCase(794, ColorScheme.Light, Media.Print)]
    public async Task Nothing_is_cut_covered_or_crossed_and_axe_finds_nothing(
        int width,
        ColorScheme scheme,
        Media media
    )
    {
        await using var open = await Browser.OpenAsync(
            _file,
            new()
            {
                ViewportSize = new() { Width = width, Height = 900 },
                ColorScheme = scheme,
                BypassCSP = true,
            }
        );
        await open.Page.EmulateMediaAsync(new() { Media = media, ColorScheme = scheme });
        await open.Page.WaitForFunctionAsync(
            "[...document.querySelectorAll('.stage > svg')].every(svg => "
                + "Math.abs(svg.getAttribute('width') - svg.parentElement.clientWidth) < 2)"
        );
        var name = $"{width}-{scheme}-{media}";
        Assert.That(await ReportLook.FaultsAsync(open.Page, name), Is.Empty, name);
        Assert.That(await Chromium.ViolationsAsync(open.Page), Is.Empty, name);
        Assert.That(open.Complaints, Is.Empty);
    }
}
