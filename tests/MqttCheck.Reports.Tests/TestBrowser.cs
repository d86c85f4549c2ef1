using Microsoft.Playwright;

namespace MqttCheck.Reports.Tests;

/// <summary>Opens pages that are files.</summary>
internal sealed class TestBrowser : IAsyncDisposable
{
    private readonly Chromium _chromium;
    private readonly IBrowserContext _ordinary;

    private TestBrowser(Chromium chromium, IBrowserContext ordinary) => (_chromium, _ordinary) = (chromium, ordinary);

    public static async Task<TestBrowser> StartAsync()
    {
        var chromium = await Chromium.StartAsync();
        return new(chromium, await chromium.NewContextAsync());
    }

    /// <summary>Opens a page of the disk and waits until its charts stand.</summary>
    public async Task<OpenPage> OpenAsync(string file, BrowserNewContextOptions? options = null, bool hasViewer = true)
    {
        // A context of its own takes as long as a page: only pages with other settings get one.
        var own = options is null ? null : await _chromium.NewContextAsync(options);
        var page = await (own ?? _ordinary).NewPageAsync();
        var open = new OpenPage(own, page);
        Chromium.Watch(page, open.Complaints, asked => asked.Scheme is "file" or "data");
        await page.GotoAsync(new Uri(file).AbsoluteUri);
        if (hasViewer && options?.JavaScriptEnabled != false)
            await page.WaitForSelectorAsync("html[data-viewer=ready]", new() { State = WaitForSelectorState.Attached });
        return open;
    }

    public ValueTask DisposeAsync() => _chromium.DisposeAsync();
}
