using System.Globalization;
using Microsoft.Playwright;
using MqttCheck.AcceptanceTests;
using MqttCheck.Cli.Results;
using MqttCheck.Predictions;
using MqttCheck.Verification;

namespace MqttCheck.Server.Tests.Browser;

/// <summary>
/// The way of a newcomer through the page, with the tool as a process: move a slider, see the answer get better,
/// compare, copy the command and run it, and verify on the embedded broker.
/// </summary>
[TestFixture]
internal sealed class NewcomersPathTests : PageFixture
{
    [Test]
    [Category("Whole"), Category("AloneOnTheMachine")]
    public async Task A_newcomer_predicts_compares_repeats_and_verifies()
    {
        using var directory = new WorkDirectory();
        // The broker is slower than the one that the model was learned from: the verdict is sure, and soon.
        using var tool = ToolProcess.Start(
            directory.Path,
            "serve",
            "--model",
            RepositoryFiles.Model,
            "--out",
            "page",
            "--delay",
            "constant:30ms"
        );
        await tool.WaitForAsync("Ctrl-C ends it");
        var page = await OpenAddressAsync(
            Hosting.ServeProcessTests.Address().Match(tool.Output).Value["what-if page: ".Length..]
        );
        await MoveTheSliderAsync(page);
        await CompareAsync(page);
        await RepeatAsync(page, directory);
        await VerifyAsync(page, directory);
        Assert.That((await tool.EndAsync("INT")).ExitCode, Is.Zero);
    }

    private static async Task MoveTheSliderAsync(IPage page)
    {
        var (curve, answer) = (await CurveAsync(page), await page.Locator("#answer").InnerTextAsync());
        await page.EvaluateAsync(
            """
            () => {
              window.widths = [];
              new MutationObserver(() => widths.push(Number(document.documentElement.dataset.width)))
                .observe(document.documentElement, { attributeFilter: ['data-width'] });
            }
            """
        );
        await page.Locator("#clients-slider").FillAsync("530");
        await page.WaitForFunctionAsync("before => document.getElementById('answer').textContent !== before", answer);
        await PageBrowser.AnsweredAsync(page);
        Assert.That(await CurveAsync(page), Is.Not.EqualTo(curve), "the curve moves");
        var widths = await page.EvaluateAsync<double[]>("() => widths");
        Assert.That(widths[^1], Is.LessThan(widths[0]), "the interval narrows");
    }

    private static async Task CompareAsync(IPage page)
    {
        await page.Locator("#add").ClickAsync();
        await page.Locator("#profile").SelectOptionAsync("up2");
        await page.WaitForFunctionAsync("() => document.getElementById('comparison').textContent.includes('up2')");
        await PageBrowser.AnsweredAsync(page);
        Assert.That(await page.Locator("#difference").InnerTextAsync(), Does.Match(@"^B minus A: [+-]?0\.\d{3} \("));
    }

    private static async Task RepeatAsync(IPage page, WorkDirectory directory)
    {
        // A profile of one's own must be saved for the command.
        await page.GetByLabel("Topics").FillAsync("50");
        await page.Locator("#quality", new() { HasText = "Simulating" }).WaitForAsync();
        await PageBrowser.AnsweredAsync(page);
        await page.Locator("#copy-command").ClickAsync();
        await page.Locator("#copied", new() { HasText = "copied" }).WaitForAsync();
        var command = await page.EvaluateAsync<string>("() => navigator.clipboard.readText()");
        var shown = await page.EvaluateAsync<string>("() => document.documentElement.dataset.probability");
        var result = await ToolProcess.RunAsync(
            directory.Path,
            [.. command.Split(' ')[1..], "--out", directory.File("repeated.json")]
        );
        Assert.That(result.ExitCode, Is.Zero, result.ToString);
        Assert.That(
            PredictionFile.Read(directory.File("repeated.json")).Points.Single().Probability,
            Is.EqualTo(double.Parse(shown, CultureInfo.InvariantCulture)),
            "to the bit"
        );
    }

    private static async Task VerifyAsync(IPage page, WorkDirectory directory)
    {
        await page.Locator("#remove").ClickAsync();
        await page.Locator("#source summary").ClickAsync();
        await page.Locator("#json").FillAsync(SharedPage.Busy);
        await page.Locator("#json").BlurAsync();
        await page.WaitForFunctionAsync("() => document.getElementById('profile').value === 'own'");
        await page.Locator("#clients").FillAsync("10");
        await page.WaitForFunctionAsync("() => document.getElementById('answer').textContent.startsWith('10 clients')");
        await PageBrowser.AnsweredAsync(page);
        await page.Locator("#plan").ClickAsync();
        await page.Locator("#plan-text", new() { HasTextRegex = new(@"takes about \d+ s, and at most \d+ s") })
            .WaitForAsync();
        await page.Locator("#start").ClickAsync();
        await page.Locator("#live-figure svg").WaitForAsync(new() { Timeout = 120_000 });
        await page.WaitForFunctionAsync(
            "() => document.documentElement.dataset.verdict !== undefined",
            null,
            new() { Timeout = 180_000 }
        );
        var document = VerdictFile.Read(Directory.GetFiles(directory.File("page/verdicts")).Single());
        var verdict = SharedPage.Sound(document);
        Assert.That(verdict.Kind, Is.EqualTo(VerdictKind.Worse), verdict.Reason);
        Assert.That(
            await page.EvaluateAsync<string>("() => document.documentElement.dataset.verdict"),
            Is.EqualTo("worse"),
            "that of the command"
        );
        var repeat = await page.Locator("#live pre code").InnerTextAsync();
        Assert.That(
            repeat,
            Does.Match(@"^mqttcheck verify page/predictions/busy-\w+\.json --delay constant:30ms --seed 1")
        );
        var report = await page.Context.RunAndWaitForPageAsync(() => page.GetByText("Open the report").ClickAsync());
        await report.Locator("h1").WaitForAsync();
        await report.CloseAsync();
        Assert.That(
            Directory.GetFileSystemEntries(directory.Path).Select(Path.GetFileName),
            Is.EquivalentTo(["page", "repeated.json"])
        );
    }

    private static Task<string?> CurveAsync(IPage page) =>
        page.Locator("#curve-figure svg [data-part=line] path").First.GetAttributeAsync("d");
}
