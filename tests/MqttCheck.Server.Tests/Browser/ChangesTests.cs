using Microsoft.Playwright;

namespace MqttCheck.Server.Tests.Browser;

/// <summary>The page ranks only changes that surely help.</summary>
[TestFixture]
internal sealed class ChangesTests : PageFixture
{
    // Two changes help in the model, by less than its error of a difference.
    [Test]
    [Category("Whole")]
    public async Task Changes_that_may_be_noise_are_listed_without_a_place()
    {
        var page = await OpenAsync(SharedPage.FewClients);
        await page.Locator("#threshold").FillAsync("12");
        await page.Locator("#clients").FillAsync("40");
        await page.Locator("#ask-changes").ClickAsync();
        await page.Locator("#fleet", new() { HasText = "All changes are tried. None of them is sure to help." })
            .WaitForAsync();
        var rows = page.Locator("#changes-figure tbody tr");
        Assert.That(await rows.CountAsync(), Is.EqualTo(5));
        Assert.That(await rows.Locator("td:nth-child(2)").AllTextContentsAsync(), Is.All.EqualTo("–"));
        Assert.That(
            await page.Locator("#changes").InnerTextAsync(),
            Does.Contain("cannot be told apart from no change").And.Contain("With 90 % all of them hold at once.")
        );
    }
}
