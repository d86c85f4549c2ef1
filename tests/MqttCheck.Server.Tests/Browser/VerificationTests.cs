using Microsoft.Playwright;
using MqttCheck.Cli.Results;
using MqttCheck.Server.Live;
using MqttCheck.Verification;

namespace MqttCheck.Server.Tests.Browser;

/// <summary>
/// Verifications on the embedded broker from the page: by keyboard alone, as they look, and stopped before their end.
/// </summary>
[TestFixture]
internal sealed class VerificationTests : PageFixture
{
    private const float Patience = 180_000;

    // The path is shown by then. A verdict takes three runs at least, so the page does not have it yet.
    private const int ShownRuns = 2;

    [TearDown]
    public void LetGo() => SharedPage.BeforeEvent = null;

    // Longer waits: many runs are still to come when the verification is stopped.
    [Test]
    [Category("Whole")]
    public async Task All_of_the_newcomers_path_goes_by_keyboard_alone_and_Stop_shows_the_verdict_so_far()
    {
        var page = await OpenAsync(SharedPage.Verified("[300, 500]"));
        var before = await page.Locator("#answer").InnerTextAsync();
        await TabToAsync(page, "#clients-slider");
        for (var step = 0; step < 10; step++)
            await page.Keyboard.PressAsync("ArrowRight");
        await page.WaitForFunctionAsync("before => document.getElementById('answer').textContent !== before", before);
        await PageBrowser.AnsweredAsync(page);
        Assert.That(await page.Locator("#clients").InputValueAsync(), Is.EqualTo("20"), "a key is a client at least");

        await TabToAsync(page, "#add");
        await page.Keyboard.PressAsync("Enter");
        await TabToAsync(page, "#profile");
        await page.Keyboard.TypeAsync("up2");
        await page.WaitForFunctionAsync("() => document.getElementById('comparison').textContent.includes('up2')");
        await PageBrowser.AnsweredAsync(page);
        await TabToAsync(page, "#scenarios button:first-child");
        await page.Keyboard.PressAsync("Enter");
        Assert.That(
            await page.EvaluateAsync<string>("document.activeElement.textContent"),
            Is.EqualTo("Scenario A"),
            "what was pressed keeps the focus"
        );

        await TabToAsync(page, "#copy-command");
        await page.Keyboard.PressAsync("Enter");
        await page.Locator("#copied", new() { HasText = "copied" }).WaitForAsync();
        Assert.That(
            await page.EvaluateAsync<string>("navigator.clipboard.readText()"),
            Does.StartWith("mqttcheck predict ").And.Contain("busy-")
        );

        await TabToAsync(page, "#plan");
        await page.Keyboard.PressAsync("Enter");
        await FocusedAsync(page, "#start");
        await page.Keyboard.PressAsync("Enter");
        await FocusedAsync(page, "#stop");
        var isShown = await IsPathShownAsync(page);
        await page.Keyboard.PressAsync("Enter");
        await FocusedAsync(page, "#progress");
        await VerdictAsync(page);
        if (!isShown)
        {
            var verdict = (await WrittenAsync(page)).Verdicts.Single();
            Assume.That(verdict.InvalidRuns, Is.Null, "a machine that held up the clients proves nothing");
            Assert.Fail("The runs count, and their path was not shown.");
        }
        await TabToAsync(page, "#live [aria-label=Verdict]");
        var said = await page.EvaluateAsync<string>("document.activeElement.innerText");
        await TabToAsync(page, "#live a");
        var report = await page.Context.RunAndWaitForPageAsync(() => page.Keyboard.PressAsync("Enter"));
        await report.Locator("h1").WaitForAsync();

        var document = await WrittenAsync(page);
        Assert.That(document.Interrupted);
        Assert.That(document.Verdicts.Single().Kind, Is.EqualTo(VerdictKind.Partial));
        Assert.That(said, Does.Contain("partial").And.Contain("busy, 20 clients"));
        Assert.That(
            await page.Locator("#plan-text").InnerTextAsync(),
            Is.EqualTo("Stopped. partial: " + document.Verdicts[0].Reason)
        );
        Assert.That(await page.Locator("#stop").IsHiddenAsync());
    }

    // The page's events are held back while it is looked at; the verification goes on meanwhile.
    [Test]
    [Category("Whole")]
    public async Task The_running_test_and_its_verdict_are_accessible_and_nothing_is_cut_or_covered()
    {
        var release = HoldAfter(ShownRuns);
        var page = await OpenAsync(SharedPage.Verified("[0, 60]"));
        await StartAsync(page);
        await PageLook.LookAsync(page, "running");
        Assert.That(await page.Locator("#stop").IsVisibleAsync(), "it is still running for the page");
        release.SetResult();
        await VerdictAsync(page);
        await FocusedAsync(page, "#plan");
        await PageLook.LookAsync(page, "verdict");
    }

    private static TaskCompletionSource HoldAfter(int runs)
    {
        var release = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        SharedPage.BeforeEvent = (_, value, cancellation) =>
            value is LiveProgress { Verdicts: [{ Runs: var made }] } && made > runs
                ? release.Task.WaitAsync(cancellation)
                : Task.CompletedTask;
        return release;
    }

    private static async Task StartAsync(IPage page)
    {
        await page.Locator("#plan").ClickAsync();
        await page.Locator("#start").ClickAsync();
        await page.Locator("#live-figure svg").WaitForAsync(new() { Timeout = Patience });
    }

    // Runs that do not count have no path.
    private static async Task<bool> IsPathShownAsync(IPage page)
    {
        try
        {
            await page.Locator("#live-figure svg").WaitForAsync(new() { Timeout = Patience });
            return true;
        }
        catch (TimeoutException)
        {
            return false;
        }
    }

    private static async Task VerdictAsync(IPage page) =>
        await page.WaitForFunctionAsync(
            "() => document.documentElement.dataset.verdict !== undefined && !document.getElementById('plan').disabled",
            null,
            new() { Timeout = Patience }
        );

    private static async Task<VerdictDocument> WrittenAsync(IPage page)
    {
        var said = await page.Locator("#live p", new() { HasText = "The verdict is in" }).InnerTextAsync();
        return VerdictFile.Read(said[(said.IndexOf("is in ", StringComparison.Ordinal) + "is in ".Length)..^1]);
    }

    // Forth and round: a reader of a screen does the same.
    private static async Task TabToAsync(IPage page, string selector)
    {
        for (var presses = 0; presses < 200; presses++)
        {
            await page.Keyboard.PressAsync("Tab");
            if (await page.EvaluateAsync<bool>("what => document.activeElement?.matches(what) ?? false", selector))
                return;
        }
        Assert.Fail($"Tab never comes to {selector}");
    }

    private static async Task FocusedAsync(IPage page, string selector) =>
        await page.WaitForFunctionAsync("what => document.activeElement?.matches(what)", selector);
}
