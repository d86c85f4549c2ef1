using Microsoft.Playwright;
using MqttCheck.Reports.Page;

namespace MqttCheck.Reports.Tests;

/// <summary>Opens pages that are files.</summary>
internal sealed class TestBrowser : IAsyncDisposable
{
    private readonly Chromium _chromium;
    private readonly IBrowserContext _ordinary;

    private TestBrowser(Chromium chromium, IBrowserContext ordinary) => (_chromium, _ordinary) = (chromium, ordinary);

    public static void RequireViewer() =>
        Chromium.Require(
            Viewer.Script is not null,
            "the chart viewer: install Node.js 20 or later with npm and build again (apt-get install nodejs npm)"
        );

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
        if (hasViewer && options?.JavaScriptEnabled != false && Viewer.Script is not null)
            await page.WaitForSelectorAsync("html[data-viewer=ready]", new() { State = WaitForSelectorState.Attached });
        return open;
    }

    public ValueTask DisposeAsync() => _chromium.DisposeAsync();
}
