using MqttCheck.Server.Answers;

namespace MqttCheck.Server.Tests.Browser;

/// <summary>An answer that comes late never stands in place of a fresh one.</summary>
[TestFixture]
internal sealed class StaleAnswerTests : PageFixture
{
    [TearDown]
    public void LetGo() => SharedPage.BeforeEvent = null;

    // The answer for 30 clients is held back until the one for 40 stands; the page has asked 40 meanwhile.
    [Test]
    [Category("Whole")]
    public async Task A_delayed_answer_does_not_overwrite_a_fresh_one()
    {
        var release = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        var held = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        SharedPage.BeforeEvent = async (_, value, _) =>
        {
            if (value is not Answer { Scenarios: [{ Clients: 30 }] })
                return;
            held.TrySetResult();
            // Even after the question was replaced: the worst that a slow network does.
            await release.Task;
        };
        var page = await OpenAsync(SharedPage.FewClients);
        await page.EvaluateAsync(
            """
            window.shown = [];
            new MutationObserver(() => shown.push(document.getElementById('answer').textContent))
              .observe(document.getElementById('answer'), { childList: true });
            """
        );
        await page.Locator("#clients").FillAsync("30");
        await held.Task.WaitAsync(TimeSpan.FromMinutes(1));
        await page.Locator("#clients").FillAsync("40");
        release.SetResult();
        await page.WaitForFunctionAsync("() => document.getElementById('answer').textContent.startsWith('40 clients')");
        await PageBrowser.AnsweredAsync(page);
        Assert.That(await page.EvaluateAsync<string[]>("shown"), Has.All.StartsWith("40 clients").And.Not.Empty);
    }
}
