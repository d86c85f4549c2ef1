using System.Globalization;
using System.Text.Json;
using Microsoft.Playwright;
using MqttCheck.AcceptanceTests;

namespace MqttCheck.Server.Tests.Browser;

/// <summary>The topology as a picture that can be edited, by mouse and by keyboard.</summary>
[TestFixture]
internal sealed class ClusterEditTests : PageFixture
{
    // A line has one way from one end to the other, so a link's delay is seen in the answer.
    private const string Line = """
        { "seed": 1, "threshold": 20, "scenarios": [{ "model": "embedded-example", "clients": 8, "profile": "up1" }],
          "cluster": { "family": "line:3", "topology": "", "faults": "", "properties": "E[ lost ]", "vary": "" } }
        """;

    [Test]
    [Category("Whole")]
    public async Task A_link_that_is_dragged_up_takes_longer_and_the_command_says_the_same()
    {
        var page = await OpenLineAsync();
        Assert.That(await MedianAsync(page, "n1", "n2"), Is.Zero, "a family's links take no time");
        await page.Locator("#picture").ScrollIntoViewIfNeededAsync();
        var link = await page.Locator("#picture .link line.hit").First.BoundingBoxAsync();
        var (x, y) = (link!.X + (link.Width / 2), link.Y + (link.Height / 2));
        await page.Mouse.MoveAsync(x, y);
        await page.Mouse.DownAsync();
        await page.Mouse.MoveAsync(x, y - 10);
        await page.Mouse.MoveAsync(x, y - 30);
        await page.Mouse.UpAsync();
        await MedianIsAsync(page, "n1", "n2", 30);
        Assert.That(await page.Locator("#topology").InputValueAsync(), Does.Contain("\"delay\": \"constant:30ms\""));
        Assert.That(await page.Locator("#delays input[type=number]").First.InputValueAsync(), Is.EqualTo("30"));
        await RepeatAsync(page);
    }

    [Test]
    [Category("Whole")]
    public async Task All_edits_can_be_made_by_keyboard_alone()
    {
        var page = await OpenLineAsync();
        // A delay in the picture.
        await page.Locator("#picture .link").First.FocusAsync();
        await page.Keyboard.PressAsync("PageUp");
        await page.Keyboard.PressAsync("ArrowUp");
        await page.Keyboard.PressAsync("ArrowUp");
        await MedianIsAsync(page, "n1", "n2", 12);
        Assert.That(await FocusedAsync(page), Does.StartWith("Delay of the link from n1 to n2"), "the focus stays");
        // A delay in the list.
        await page.GetByLabel("Delay of n2 – n3 in ms", new() { Exact = true }).FocusAsync();
        await page.Keyboard.PressAsync("Control+a");
        await page.Keyboard.TypeAsync("7.5");
        await MedianIsAsync(page, "n1", "n3", 19.5);
        // A node dies: it is chosen in the picture.
        await page.Locator("#picture .node[data-node=n3]").FocusAsync();
        await page.Keyboard.PressAsync("Enter");
        await ReachAsync(page, "kill-node");
        await page.Keyboard.PressAsync("Enter");
        await page.Locator("#file-faults li", new() { HasText = "kill n3 at 5s for 3s" }).WaitForAsync();
        // A node is added, and another one removed.
        await ReachAsync(page, "add-node");
        await page.Keyboard.PressAsync("Enter");
        await page.Locator("#picture .node[data-node=n4]").WaitForAsync();
        await MedianIsAsync(page, "n3", "n4", 10);
        await page.Locator("#node").SelectOptionAsync("n4");
        await page.Locator("#remove-node").FocusAsync();
        await page.Keyboard.PressAsync("Enter");
        await page.Locator("#picture .node[data-node=n4]")
            .WaitForAsync(new() { State = WaitForSelectorState.Detached });
        await AnsweredAsync(page);
        await RepeatAsync(page);
    }

    [Test]
    [Category("Whole")]
    public async Task What_the_reader_refuses_changes_nothing_and_is_said_in_its_words()
    {
        var page = await OpenLineAsync();
        Provoked = "400";
        await page.Locator("#node").SelectOptionAsync("n2");
        await page.Locator("#remove-node").ClickAsync();
        await page.Locator(
                "#edit-refusal",
                new() { HasText = "no links lead from n1 to n3; allowed: a connected graph" }
            )
            .WaitForAsync();
        Assert.That(await page.Locator("#topology").InputValueAsync(), Is.Empty);
        Assert.That(await page.Locator("#picture .node").CountAsync(), Is.EqualTo(3));
        await page.Locator("#kill-at").FillAsync("60");
        await page.Locator("#kill-node").ClickAsync();
        await page.Locator("#edit-refusal", new() { HasText = "it begins at the end or later" }).WaitForAsync();
    }

    [Test]
    [Category("Whole")]
    public async Task The_address_repeats_what_was_edited_and_an_edit_can_be_discarded()
    {
        var page = await OpenLineAsync();
        await page.Locator("#delays input[type=number]").First.FillAsync("25");
        await MedianIsAsync(page, "n1", "n2", 25);
        await page.Locator("#kill-node").ClickAsync();
        await page.Locator("#file-faults li").WaitForAsync();
        await AnsweredAsync(page);
        var again = await OpenAsync(new Uri(page.Url).Fragment);
        await AnsweredAsync(again);
        foreach (var place in (string[])["#cluster-command", "#cluster-pairs table", "#cluster-answers"])
            Assert.That(
                await again.Locator(place).TextContentAsync(),
                Is.EqualTo(await page.Locator(place).TextContentAsync()),
                place
            );
        await again.Locator("#discard").ClickAsync();
        await again.Locator("#file-faults").WaitForAsync(new() { State = WaitForSelectorState.Hidden });
        Assert.That(await again.Locator("#topology").InputValueAsync(), Is.Empty);
        Assert.That(await again.Locator("#faults").InputValueAsync(), Is.EqualTo("kill n1 at 5s for 3s"));
    }

    [Test]
    [Category("Whole")]
    public async Task The_edited_view_is_accessible_and_nothing_is_cut_or_covered()
    {
        var page = await OpenLineAsync();
        await page.Locator("#cluster-source summary").ClickAsync();
        await page.Locator("#topology").FillAsync(Plant);
        await page.Locator("#topology").BlurAsync();
        await page.Locator("#picture .node[data-node=rome]").WaitForAsync();
        await page.Locator("#kill-node").ClickAsync();
        await page.Locator("#file-faults li").WaitForAsync();
        await page.Locator("#add-node").ClickAsync();
        await page.Locator("#picture .node[data-node=n5]").WaitForAsync();
        await AnsweredAsync(page);
        await page.Locator("#cluster-figure summary").ClickAsync();
        Assert.That(
            await page.Locator("#cluster-figure tbody th").First.TextContentAsync(),
            Is.EqualTo("factory-north")
        );
        await PageLook.LookAsync(page, "cluster", OutsideOfPicture);
    }

    private const string OutsideOfPicture = """
        () => {
          const whole = document.getElementById('picture').getBoundingClientRect();
          const texts = [...document.querySelectorAll('#picture text')].map(text => ({ box: text.getBoundingClientRect(), said: text.textContent }));
          const out = texts.filter(({ box }) => box.left < whole.left - 1 || box.right > whole.right + 1 || box.top < whole.top - 1 || box.bottom > whole.bottom + 1).map(({ said }) => 'cut: ' + said);
          texts.forEach((a, i) => texts.slice(i + 1).forEach(b => {
            const across = Math.min(a.box.right, b.box.right) - Math.max(a.box.left, b.box.left);
            const down = Math.min(a.box.bottom, b.box.bottom) - Math.max(a.box.top, b.box.top);
            if (across > 2 && down > 4) out.push(`${a.said} over ${b.said}`);
          }));
          return out;
        }
        """;

    // Sites have names of their own, and laws of all kinds.
    private const string Plant = """
        { "name": "plant", "system": "spanning-tree", "durationSeconds": 8,
          "nodes": [{ "name": "oslo" }, { "name": "rome" }, { "name": "paris" }, { "name": "berlin" }],
          "links": [{ "between": ["oslo", "rome"], "delay": "normal:31ms,2ms" }, { "between": ["rome", "paris"], "delay": "uniform:5..9ms" },
            { "between": ["paris", "berlin"], "delay": "exponential:4ms" }, { "between": ["berlin", "oslo"] }],
          "sites": [{ "name": "factory-north", "at": "oslo", "publishers": 2, "subscribers": 2 }, { "name": "desks", "at": "rome", "publishers": 2, "subscribers": 2, "delay": "constant:3ms" }] }
        """;

    private static async Task<string> FocusedAsync(IPage page) =>
        await page.EvaluateAsync<string>("() => document.activeElement.getAttribute('aria-label') ?? ''");

    // Tab goes everywhere.
    private static async Task ReachAsync(IPage page, string id)
    {
        for (var presses = 0; presses < 40; presses++)
        {
            await page.Keyboard.PressAsync("Tab");
            if (await page.EvaluateAsync<string>("() => document.activeElement.id") == id)
                return;
        }
        Assert.Fail($"40 presses of Tab do not lead to #{id}");
    }

    private static Task AnsweredAsync(IPage page) =>
        page.Locator("#cluster-status", new() { HasText = "Simulated." }).WaitForAsync();

    private static ILocator Row(IPage page, string from, string to) =>
        page.Locator($"#cluster-figure tbody tr:has(th:text-is('{from}')):has(td:nth-child(2):text-is('{to}'))");

    private static async Task<double> MedianAsync(IPage page, string from, string to) =>
        double.Parse(
            (await Row(page, from, to).Locator("td:nth-child(4)").TextContentAsync())!.Split(' ')[0],
            CultureInfo.InvariantCulture
        );

    private static async Task MedianIsAsync(IPage page, string from, string to, double milliseconds)
    {
        var text = FormattableString.Invariant($"{milliseconds} ms");
        await Row(page, from, to)
            .Locator($"td:nth-child(4):text-is('{text}')")
            .WaitForAsync(new() { State = WaitForSelectorState.Attached });
        await AnsweredAsync(page);
    }

    private static async Task RepeatAsync(IPage page)
    {
        await page.Locator("#copy-cluster").ClickAsync();
        await page.Locator("#cluster-status", new() { HasText = "copied" }).WaitForAsync();
        var command = await page.EvaluateAsync<string>("() => navigator.clipboard.readText()");
        var result = await ToolProcess.RunAsync(
            SharedPage.Server.Root,
            [.. Hosting.ClusterEndpointTests.ShellWords(command)[1..], "--format", "json"]
        );
        Assert.That(result.ExitCode, Is.Zero, result.ToString);
        var pairs = JsonElement.Parse(result.Output).GetProperty("tables")[1].EnumerateArray().ToList();
        Assert.That(await page.Locator("#cluster-figure tbody tr").CountAsync(), Is.EqualTo(pairs.Count));
        foreach (var pair in pairs)
        {
            var row = Row(page, $"{pair.GetProperty("from")}", $"{pair.GetProperty("to")}");
            var cells = await row.Locator("td").AllTextContentsAsync();
            string[] keys = ["mean", "p50", "p99", "owed", "missing", "lost"];
            Assert.That(
                cells.Skip(1).Select(cell => double.Parse(cell.Split(' ')[0], CultureInfo.InvariantCulture)),
                Is.EqualTo(keys.Select(key => Shown(pair.GetProperty(key).GetDouble()))).Within(1e-9),
                $"{pair}"
            );
        }

        // The page shows three digits of a time, and all of a count.
        static double Shown(double value) =>
            value is 0 or >= 100 ? Math.Round(value) : Math.Round(value, 2 - (int)Math.Floor(Math.Log10(value)));
    }

    private async Task<IPage> OpenLineAsync()
    {
        var page = await OpenAsync("#q=" + Uri.EscapeDataString(Line));
        await AnsweredAsync(page);
        return page;
    }
}
