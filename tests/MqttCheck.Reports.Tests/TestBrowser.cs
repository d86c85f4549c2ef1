using Microsoft.Playwright;
using MqttCheck.Reports.Page;

namespace MqttCheck.Reports.Tests;

/// <summary>
/// An installed Chromium without a window. In continuous integration (CI=true) a missing part is a failure, elsewhere
/// the test is ignored.
/// </summary>
internal sealed class TestBrowser : IAsyncDisposable
{
    private const string Executable = "/usr/bin/chromium";

    // Beside other tests a page may take long. Milliseconds.
    private const float Patience = 120_000;

    private readonly IPlaywright _playwright;
    private readonly IBrowser _browser;
    private readonly IBrowserContext _ordinary;

    private TestBrowser(IPlaywright playwright, IBrowser browser, IBrowserContext ordinary) =>
        (_playwright, _browser, _ordinary) = (playwright, browser, ordinary);

    public static void RequireViewer() =>
        Require(
            Viewer.Script is not null,
            "the chart viewer: install Node.js 20 or later with npm and build again (apt-get install nodejs npm)"
        );

    public static async Task<TestBrowser> StartAsync()
    {
        Require(File.Exists(Executable), $"{Executable}: install Chromium (apt-get install chromium)");
        var playwright = await Playwright.CreateAsync();
        var browser = await playwright.Chromium.LaunchAsync(
            new()
            {
                ExecutablePath = Executable,
                Args =
                [
                    "--no-sandbox",
                    "--disable-gpu",
                    "--disable-background-networking",
                    "--disable-component-update",
                    "--no-first-run",
                ],
            }
        );
        var ordinary = await browser.NewContextAsync();
        ordinary.SetDefaultTimeout(Patience);
        return new(playwright, browser, ordinary);
    }

    public async Task<OpenPage> OpenAsync(string file, BrowserNewContextOptions? options = null, bool hasViewer = true)
    {
        // A context of its own takes as long as a page: only pages with other settings get one.
        var own = options is null ? null : await _browser.NewContextAsync(options);
        own?.SetDefaultTimeout(Patience);
        var page = await (own ?? _ordinary).NewPageAsync();
        var open = new OpenPage(own, page);
        page.Console += (_, message) =>
        {
            if (message.Type is "error" or "warning")
                open.Complaints.Add(message.Text);
        };
        page.PageError += (_, error) => open.Complaints.Add(error);
        page.Request += (_, request) =>
        {
            if (
                !request.Url.StartsWith("file:", StringComparison.Ordinal)
                && !request.Url.StartsWith("data:", StringComparison.Ordinal)
            )
                open.Complaints.Add("request " + request.Url);
        };
        await page.GotoAsync(new Uri(file).AbsoluteUri);
        if (hasViewer && options?.JavaScriptEnabled != false && Viewer.Script is not null)
            await page.WaitForSelectorAsync("html[data-viewer=ready]", new() { State = WaitForSelectorState.Attached });
        return open;
    }

    public async ValueTask DisposeAsync()
    {
        await _browser.DisposeAsync();
        _playwright.Dispose();
    }

    public static void Require(bool present, string what)
    {
        if (present)
            return;
        if (Environment.GetEnvironmentVariable("CI") == "true")
            Assert.Fail("Missing: " + what);
        Assert.Ignore("Missing: " + what);
    }
}
