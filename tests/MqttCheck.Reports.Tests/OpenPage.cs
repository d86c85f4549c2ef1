using Microsoft.Playwright;

namespace MqttCheck.Reports.Tests;

/// <summary>
/// A page in a browser, and what it complained about: console errors and warnings, exceptions, requests that leave the
/// file.
/// </summary>
internal sealed class OpenPage(IBrowserContext? own, IPage page) : IAsyncDisposable
{
    public IPage Page => page;

    public List<string> Complaints { get; } = [];

    public Task<int> CountAsync(string selector) => page.Locator(selector).CountAsync();

    public Task<T> EvaluateAsync<T>(string expression) => page.EvaluateAsync<T>(expression);

    public async ValueTask DisposeAsync()
    {
        await page.CloseAsync();
        if (own is not null)
            await own.DisposeAsync();
    }
}
