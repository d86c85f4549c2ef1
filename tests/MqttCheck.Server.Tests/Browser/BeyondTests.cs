using Microsoft.Playwright;

namespace MqttCheck.Server.Tests.Browser;

/// <summary>A question about what was never seen is refused, and the page offers the same as the command.</summary>
[TestFixture]
internal sealed class BeyondTests : PageFixture
{
    [TestCase(1280, Explicit = true)]
    [TestCase(390)]
    [Category("Whole")]
    public async Task A_refused_question_is_answered_without_ground_where_the_page_is_asked_to(int width)
    {
        var page = await OpenAsync(
            SharedPage.FewClients,
            new()
            {
                ViewportSize = new() { Width = width, Height = 900 },
            }
        );
        var offer = page.GetByLabel("Answer without ground (--beyond)");
        Assert.That(await offer.IsVisibleAsync(), Is.False, "nothing is refused yet");
        await page.Locator("#cards [data-path=qos]").SelectOptionAsync("2");
        await page.Locator("#quality", new() { HasText = "the model has seen 1 only" }).WaitForAsync();
        Assert.That(
            await page.Locator("#trust").EvaluateAsync<string>("light => getComputedStyle(light, '::before').content"),
            Is.EqualTo("\"For the question before: \"")
        );
        await PageLook.LookAsync(page, $"refused-{width}");

        await page.SetViewportSizeAsync(width, 900);
        await offer.CheckAsync();
        await PageBrowser.AnsweredAsync(page);
        await SaysItAsync(page);
        await page.Locator("#copy-command").ClickAsync();
        await page.Locator("#copied", new() { HasText = "copied" }).WaitForAsync();
        Assert.That(
            await page.EvaluateAsync<string>("navigator.clipboard.readText()"),
            Does.StartWith("mqttcheck predict ").And.EndsWith(" --beyond")
        );
        await page.Locator("#plan").ClickAsync();
        await page.Locator("#plan-text", new() { HasText = "takes about" }).WaitForAsync();

        var again = await OpenAsync(new Uri(page.Url).Fragment);
        await SaysItAsync(again);
        await again.GetByLabel("Answer without ground (--beyond)").UncheckAsync();
        await again.Locator("#quality", new() { HasText = "Not answered." }).WaitForAsync();
        Assert.That(new Uri(again.Url).Fragment, Does.Not.Contain("beyond"));
    }

    private static async Task SaysItAsync(IPage page)
    {
        Assert.That(await page.GetByLabel("Answer without ground (--beyond)").IsCheckedAsync());
        Assert.That(
            await page.Locator("#trust").InnerTextAsync(),
            Does.StartWith("Beyond training: the model has never seen such a QoS of publications")
        );
    }
}
