using Microsoft.Playwright;
using MqttCheck.Server.Hosting;

namespace MqttCheck.Server.Tests.Browser;

/// <summary>
/// An installed Chromium without a window. In continuous integration (CI=true) a missing part is a failure, elsewhere
/// the test is ignored.
/// </summary>
internal sealed class PageBrowser : IAsyncDisposable
{
    private const string Executable = "/usr/bin/chromium";

    // Beside other tests a page may take long. Milliseconds.
    private const float Patience = 120_000;

    private readonly IPlaywright _playwright;
    private readonly IBrowser _browser;

    private PageBrowser(IPlaywright playwright, IBrowser browser) => (_playwright, _browser) = (playwright, browser);

    public static async Task<PageBrowser> StartAsync()
    {
        Require(File.Exists(Executable), $"{Executable}: install Chromium (apt-get install chromium)");
        Require(
            WhatIfPage.Script.Contains("MqttCheck what-if page", StringComparison.Ordinal),
            "the page's script: install Node.js 20 or later with npm and build again (apt-get install nodejs npm)"
        );
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
        return new(playwright, browser);
    }

    /// <summary>Opens the page and waits for its refined answer.</summary>
    /// <param name="address">The address with the token, and the question if there is one.</param>
    /// <param name="complaints">Gets console errors and warnings, exceptions, and requests to others.</param>
    public async Task<IPage> OpenAsync(
        string address,
        List<string> complaints,
        BrowserNewContextOptions? options = null
    )
    {
        var context = await _browser.NewContextAsync(options);
        context.SetDefaultTimeout(Patience);
        await context.GrantPermissionsAsync(["clipboard-read", "clipboard-write"]);
        var page = await context.NewPageAsync();
        var host = new Uri(address).Authority;
        page.Console += (_, message) =>
        {
            if (message.Type is "error" or "warning")
                complaints.Add(message.Text);
        };
        page.PageError += (_, error) => complaints.Add(error);
        page.Request += (_, request) =>
        {
            if (new Uri(request.Url) is { Scheme: "http" or "https" } asked && asked.Authority != host)
                complaints.Add("request " + request.Url);
        };
        await page.GotoAsync(address);
        await AnsweredAsync(page);
        return page;
    }

    /// <summary>Waits until the answer to the question that is asked now is final.</summary>
    public static async Task AnsweredAsync(IPage page)
    {
        await page.WaitForSelectorAsync("html[data-page=ready]", new() { State = WaitForSelectorState.Attached });
        await page.Locator("#quality", new() { HasText = "Refined" }).WaitForAsync();
        await page.WaitForSelectorAsync("#curve-figure svg");
    }

    public async ValueTask DisposeAsync()
    {
        await _browser.DisposeAsync();
        _playwright.Dispose();
    }

    /// <summary>Ignores the test, or fails it in continuous integration, where something is missing.</summary>
    public static void Require(bool present, string what)
    {
        if (present)
            return;
        if (Environment.GetEnvironmentVariable("CI") == "true")
            Assert.Fail("Missing: " + what);
        Assert.Ignore("Missing: " + what);
    }
}
