using Microsoft.Playwright;

namespace MqttCheck.Server.Tests.Browser;

/// <summary>A mistake is named beside its field, and nothing says that the page still works on it.</summary>
[TestFixture]
internal sealed class MistakeTests : PageFixture
{
    // The field, its wrong value, the words beside it, the button that asks, and the place beside the button.
    private static readonly (string Field, string Value, string Words, string? Button, string Place)[] s_mistakes =
    [
        ("#clients", "99999", "Clients: 99999 given; allowed: an integer, 1 .. 20000.", null, "#quality"),
        ("#clients", "", "Clients: 0 given; allowed: an integer, 1 .. 20000.", null, "#quality"),
        ("#threshold", "-1", "In time means within (ms): -1 given; allowed: a number, 0 .. 3600000.", null, "#quality"),
        ("#cards [data-path=topics]", "0", "Topics: 0 given; allowed: an integer, 1 .. 65536.", null, "#quality"),
        ("#cards [data-path='weights.publish']", "-1", "publish: -1 given", null, "#quality"),
        ("#cards [data-path=sequenceLength]", "10001", "Messages of a sequence: 10001 given", null, "#quality"),
        ("#wanted", "1.5", "with a probability of: 1.5 given", "#ask-fleet", "#fleet"),
        ("#clients", "20001", "Clients: 20001 given", "#plan", "#plan-text"),
        ("#family", "mesh:99", "Topology: \"mesh:99\" given; allowed: mesh:5", "#ask-cluster", "#cluster-status"),
        ("#delay", "-5", "Delay of each link: -5 given; allowed: a number", "#ask-cluster", "#cluster-status"),
        ("#faults", "kil n2", "Faults: 'kil n2' is not a fault", "#ask-cluster", "#cluster-status"),
        ("#faults", "kill n9 at 5s", "Faults: 'kill n9 at 5s': unknown node 'n9'", "#ask-cluster", "#cluster-status"),
        ("#properties", "E[ los ]", "Properties: column 4: unknown measure 'los'", "#ask-cluster", "#cluster-status"),
        ("#vary", "delay", "Vary: 'delay' is not a variation", "#ask-cluster", "#cluster-status"),
    ];

    [TestCase(1280, Explicit = true)]
    [TestCase(390)]
    [Category("Whole")]
    public async Task Each_mistake_is_named_beside_its_field_and_button_and_nothing_says_that_it_is_still_working(
        int width
    )
    {
        var page = await OpenAsync(
            SharedPage.FewClients,
            new()
            {
                ViewportSize = new() { Width = width, Height = 900 },
            }
        );
        // A refused request is an error of the console as Chromium sees it.
        Provoked = "400";
        foreach (var (field, value, words, button, place) in s_mistakes)
        {
            var input = page.Locator(field);
            var right = await input.InputValueAsync();
            await input.FillAsync(value);
            if (button is not null)
                await page.Locator(button).ClickAsync();
            await page.Locator(place, new() { HasText = words }).WaitForAsync();
            await IsBesideAsync(page, field, words);
            Assert.That(
                await page.EvaluateAsync<string[]>(StillWorking),
                Is.Empty,
                $"{field} = {value} at {width} pixels"
            );
            await input.FillAsync(right);
            await input.BlurAsync();
            if (button == "#ask-cluster")
            {
                await page.Locator(button).ClickAsync();
                await page.Locator(place, new() { HasText = "Simulated." }).WaitForAsync();
            }
            await page.Locator(".wrong").First.WaitForAsync(new() { State = WaitForSelectorState.Detached });
            await page.Locator("#quality", new() { HasText = "Refined" }).WaitForAsync();
        }
    }

    private const string StillWorking = """
        () => [...document.querySelectorAll('[role=status], [role=alert], #quality, h1')]
          .map(place => place.textContent).filter(said => /\.\.\.\s*$|Simulating|Searching|Planning|Trying/.test(said))
        """;

    // One look: the page asks again a moment after typing, and then replaces a message by its equal.
    private const string Beside = """
        ([field, words]) => {
          const input = document.querySelector(field);
          const message = document.getElementById(input.getAttribute('aria-describedby'));
          return input.getAttribute('aria-invalid') === 'true' && message?.innerText.startsWith(words)
            && [message.getBoundingClientRect().top - input.getBoundingClientRect().bottom];
        }
        """;

    private static async Task IsBesideAsync(IPage page, string field, string words)
    {
        var seen = await page.WaitForFunctionAsync(Beside, new[] { field, words });
        var gap = await seen.JsonValueAsync<double[]>();
        Assert.That(gap[0], Is.InRange(-1, 120), $"{words} stands below its field");
    }

    [Test]
    [Category("Whole")]
    public async Task The_old_answer_is_marked_until_the_question_has_its_own_and_stays_in_sight_above_the_cards()
    {
        var page = await OpenAsync(SharedPage.FewClients);
        Provoked = "400";
        await page.GetByLabel("Topics").FillAsync("0");
        await page.Locator("#quality", new() { HasText = "Not answered." }).WaitForAsync();
        Assert.That(await page.Locator("#question[data-stale]").CountAsync(), Is.EqualTo(1));
        Assert.That(
            await page.Locator("#quality").InnerTextAsync(),
            Does.EndWith("What is shown answers the question before.")
        );
        await page.Locator("#cards").EvaluateAsync("cards => scrollTo(0, cards.offsetTop + cards.offsetHeight)");
        Assert.That(
            await page.Locator("#answer").EvaluateAsync<double>("answer => answer.getBoundingClientRect().top"),
            Is.InRange(0, 100)
        );
        await page.GetByLabel("Topics").FillAsync("10");
        await PageBrowser.AnsweredAsync(page);
        Assert.That(await page.Locator("#question[data-stale]").CountAsync(), Is.Zero);
    }

    [Test]
    [Category("Whole")]
    public async Task The_first_cluster_has_links_that_take_time_and_one_without_delays_has_the_commands_note()
    {
        var page = await OpenAsync(SharedPage.FewClients);
        await page.Locator("#ask-cluster").ClickAsync();
        await page.Locator("#cluster-status", new() { HasText = "Simulated." }).WaitForAsync();
        var medians = await page.Locator("#cluster-figure tbody td:nth-child(4)").AllTextContentsAsync();
        Assert.That(medians, Has.Some.EqualTo("10 ms"));
        Assert.That(await page.Locator("#cluster-answers").InnerTextAsync(), Does.Not.Contain("no link has a delay"));
        await page.Locator("#delay").FillAsync("0");
        Assert.That(await page.Locator("#cluster[data-stale]").CountAsync(), Is.EqualTo(1));
        await page.Locator("#ask-cluster").ClickAsync();
        await page.Locator(
                "#cluster-answers",
                new() { HasText = "ring-4: no link has a delay, so times leave the network out." }
            )
            .WaitForAsync();
    }

    [Test]
    [Category("Whole")]
    public async Task The_first_cluster_has_answers_that_are_neither_0_nor_1_and_says_what_they_promise()
    {
        var page = await OpenAsync(SharedPage.FewClients);
        await page.Locator("#ask-cluster").ClickAsync();
        await page.Locator("#cluster-status", new() { HasText = "Simulated." }).WaitForAsync();
        var answers = await page.Locator("#cluster-answers tbody td:nth-child(3)").AllInnerTextsAsync();
        Assert.That(answers, Has.Count.EqualTo(3).And.None.AnyOf("0", "1", "–"));
        Assert.That(
            await page.Locator("#cluster-promise").InnerTextAsync(),
            Does.StartWith(
                "Simulated. Times are milliseconds. Each answer is wrong with a probability of at most 0.01."
            )
        );
        Assert.That(
            await page.Locator("#cluster-answers tbody td:nth-child(5)").AllInnerTextsAsync(),
            Is.All.EqualTo("guaranteed")
        );
    }
}
