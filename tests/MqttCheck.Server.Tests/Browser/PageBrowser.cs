using Microsoft.Playwright;
using MqttCheck.Reports.Tests;

namespace MqttCheck.Server.Tests.Browser;

/// <summary>Opens the page of a server.</summary>
internal sealed class PageBrowser : IAsyncDisposable
{
    private readonly Chromium _chromium;

    private PageBrowser(Chromium chromium) => _chromium = chromium;

    public static async Task<PageBrowser> StartAsync() => new(await Chromium.StartAsync());

    /// <summary>Opens an address and waits for its first refined answer.</summary>
    public async Task<IPage> OpenAsync(
        string address,
        List<string> complaints,
        BrowserNewContextOptions? options = null
    )
    {
        var context = await _chromium.NewContextAsync(options);
        await context.GrantPermissionsAsync(["clipboard-read", "clipboard-write"]);
        var page = await context.NewPageAsync();
        var host = new Uri(address).Authority;
        Chromium.Watch(page, complaints, asked => asked.Scheme is not ("http" or "https") || asked.Authority == host);
        await page.GotoAsync(address);
        await AnsweredAsync(page);
        return page;
    }

    /// <summary>Waits for a refined answer with its curve.</summary>
    public static async Task AnsweredAsync(IPage page)
    {
        await page.WaitForSelectorAsync("html[data-page=ready]", new() { State = WaitForSelectorState.Attached });
        await page.Locator("#quality", new() { HasText = "Refined" }).WaitForAsync();
        await page.WaitForSelectorAsync("#curve-figure svg");
    }

    public ValueTask DisposeAsync() => _chromium.DisposeAsync();
}
