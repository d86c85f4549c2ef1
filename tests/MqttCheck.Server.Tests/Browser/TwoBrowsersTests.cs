using System.Globalization;
using Microsoft.Playwright;

namespace MqttCheck.Server.Tests.Browser;

/// <summary>Two people use one server at once, each in a browser of their own.</summary>
[TestFixture]
internal sealed class TwoBrowsersTests : PageFixture
{
    [Test]
    [Category("Whole")]
    public async Task Two_browsers_at_once_get_their_own_answers_and_one_that_goes_away_leaves_the_other_alone()
    {
        var pages = await Task.WhenAll(OpenAsync(SharedPage.FewClients), OpenAsync(SharedPage.FewClients));
        Assert.That(pages[0].Context, Is.Not.SameAs(pages[1].Context), "no cookie and no storage is shared");
        // Several moves each, at the same time.
        foreach (var (first, second) in ((int, int)[])[(6, 11), (7, 12), (9, 13)])
            await Task.WhenAll(MoveAsync(pages[0], first), MoveAsync(pages[1], second));
        await Task.WhenAll(AnsweredAsync(pages[0], 9), AnsweredAsync(pages[1], 13));
        Assert.That(
            (await ShownAsync(pages[0]), await ShownAsync(pages[1])),
            Is.EqualTo((await AloneAsync(9), await AloneAsync(13)))
        );

        // Thousands of clients take long, and are more than the model knows. The first goes away with its simulation
        // under way.
        await MoveAsync(pages[0], 5000);
        await pages[0].GetByLabel("Answer without ground (--beyond)").CheckAsync();
        await pages[0].Locator("#quality", new() { HasText = "Simulating" }).WaitForAsync();
        Assert.That(
            () => SharedPage.Server.Server.Simulations.Turns.Count,
            Is.EqualTo(1).After(60_000, 10),
            "it is asked"
        );
        await pages[0].Context.CloseAsync();
        await MoveAsync(pages[1], 6);
        await AnsweredAsync(pages[1], 6);
        Assert.That(await ShownAsync(pages[1]), Is.EqualTo(await AloneAsync(6)));
        Assert.That(() => SharedPage.Server.Server.Simulations.Turns.Count, Is.Zero.After(60_000, 10));
        await pages[1].Context.CloseAsync();
    }

    private static Task MoveAsync(IPage page, int clients) =>
        page.Locator("#clients").FillAsync(clients.ToString(CultureInfo.InvariantCulture));

    private static async Task AnsweredAsync(IPage page, int clients)
    {
        await page.WaitForFunctionAsync(
            "start => document.getElementById('answer').textContent.startsWith(start)",
            FormattableString.Invariant($"{clients} clients")
        );
        await PageBrowser.AnsweredAsync(page);
    }

    private static async Task<double> ShownAsync(IPage page) =>
        double.Parse(
            await page.EvaluateAsync<string>("() => document.documentElement.dataset.probability"),
            CultureInfo.InvariantCulture
        );

    // The same question from a client that nobody disturbs.
    private static async Task<double> AloneAsync(int clients)
    {
        using var client = SharedPage.Server.Client();
        var events = await TestServer.EventsAsync(client, "/api/predictions", TestServer.Question(clients, 20));
        return events
            .Last(one => one.Name == "answer")
            .Value.GetProperty("scenarios")[0]
            .GetProperty("probability")
            .GetDouble();
    }
}
