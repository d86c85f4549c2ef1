using Microsoft.Playwright;

namespace MqttCheck.Reports.Tests;

/// <summary>
/// An installed Chromium without a window. In continuous integration (CI=true) a missing part is a failure, elsewhere
/// the test is ignored.
/// </summary>
internal sealed class Chromium : IAsyncDisposable
{
    private const string Executable = "/usr/bin/chromium";

    // Beside other tests a page may take long. Milliseconds.
    private const float Patience = 120_000;

    private readonly IPlaywright _playwright;
    private readonly IBrowser _browser;

    private Chromium(IPlaywright playwright, IBrowser browser) => (_playwright, _browser) = (playwright, browser);

    public static async Task<Chromium> StartAsync()
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
        return new(playwright, browser);
    }

    public static void Require(bool present, string what)
    {
        if (!present)
            Missing.Report("Missing: " + what);
    }

    /// <summary>Notes errors, warnings and every request that goes elsewhere.</summary>
    public static void Watch(IPage page, List<string> complaints, Predicate<Uri> isOwn)
    {
        page.Console += (_, message) =>
        {
            if (message.Type is "error" or "warning")
                complaints.Add(message.Text);
        };
        page.PageError += (_, error) => complaints.Add(error);
        page.Request += (_, request) =>
        {
            if (!isOwn(new Uri(request.Url)))
                complaints.Add("request " + request.Url);
        };
    }

    /// <summary>The faults that axe-core finds on a page.</summary>
    public static async Task<string[]> ViolationsAsync(IPage page)
    {
        var axe = RepositoryFiles.At("src/MqttCheck.Reports/viewer/node_modules/axe-core/axe.min.js");
        Require(File.Exists(axe), "axe-core: scripts/viewer installs it");
        if (!await page.EvaluateAsync<bool>("() => 'axe' in window"))
            await page.EvaluateAsync(await File.ReadAllTextAsync(axe));
        return await page.EvaluateAsync<string[]>(
            "async () => (await axe.run()).violations.map(({ id, nodes }) => "
                + "`${id}: ${nodes.map(({ html }) => html).join(' ')}`)"
        );
    }

    /// <summary>Takes a picture of the whole page along with the results of the test.</summary>
    public static async Task TakePictureAsync(IPage page, string name)
    {
        var file = Path.Combine(TestContext.CurrentContext.WorkDirectory, "screens", name + ".png");
        await page.ScreenshotAsync(new() { Path = file, FullPage = true });
        TestContext.AddTestAttachment(file);
    }

    public async Task<IBrowserContext> NewContextAsync(BrowserNewContextOptions? options = null)
    {
        var context = await _browser.NewContextAsync(options);
        context.SetDefaultTimeout(Patience);
        return context;
    }

    public async ValueTask DisposeAsync()
    {
        await _browser.DisposeAsync();
        _playwright.Dispose();
    }
}
