using Microsoft.Playwright;
using MqttCheck.Cli.Results;
using MqttCheck.Reports.Input;
using MqttCheck.Verification;

namespace MqttCheck.Server.Tests.Browser;

/// <summary>One browser and one server for all tests of the page: each test opens a context of its own.</summary>
[SetUpFixture]
internal sealed class SharedPage
{
    // Few clients, so the refined answer comes soon.
    private const string Few = """
        { "seed": 1, "threshold": 20, "scenarios": [{ "model": "embedded-example", "clients": 8, "profile": "up1" }] }
        """;

    private const string ShortWaits = "[0, 60]";

    /// <summary>A profile with short waits and sequences: a verification takes seconds.</summary>
    public const string Busy = $$"""
        { "name": "busy", "waitMilliseconds": { "uniform": {{ShortWaits}} }, "weights": { "connect": 1, "disconnect": 1, "publish": 8 },
          "topics": 20, "payloadBytes": [12, 40], "sequenceLength": 1 }
        """;

    // The broker's delay is longer than the threshold: the verdict is sure, and soon.
    private const string Question = $$"""
        { "seed": 1, "threshold": 20, "scenarios": [{ "model": "embedded-example", "clients": 10, "profile": {{Busy}} }] }
        """;

    /// <summary>A question that is refined soon, as the end of an address.</summary>
    public static string FewClients => "#q=" + Uri.EscapeDataString(Few);

    /// <summary>The same with other waits, in milliseconds, such as "[300, 500]".</summary>
    public static string Verified(string waits) =>
        "#q=" + Uri.EscapeDataString(Question.Replace(ShortWaits, waits, StringComparison.Ordinal));

    public static PageBrowser Browser { get; private set; } = null!;

    public static TestServer Server { get; private set; } = null!;

    /// <summary>Is called before each event is sent; a test that sets it takes it back.</summary>
    public static Func<string, object, CancellationToken, Task>? BeforeEvent { get; set; }

    /// <summary>
    /// The verdict of a file, where the runs count: a machine that held up the clients proves nothing.
    /// </summary>
    public static VerdictReport Sound(VerdictDocument document)
    {
        var verdict = document.Verdicts.Single();
        Assume.That(
            verdict.Kind == VerdictKind.Withheld && (verdict.Reason + string.Join(' ', document.Warnings)) is var why
                ? why
                : "",
            Does.Not.Match("runs are invalid|never became stationary")
        );
        return verdict;
    }

    [OneTimeSetUp]
    public async Task StartAsync()
    {
        Browser = await PageBrowser.StartAsync();
        Server = await TestServer.StartAsync(
            live: TestServer.SlowBroker,
            beforeEvent: (name, value, cancellation) =>
                BeforeEvent?.Invoke(name, value, cancellation) ?? Task.CompletedTask
        );
    }

    [OneTimeTearDown]
    public async Task StopAsync()
    {
        BeforeEvent = null;
        if (Server is not null)
            await Server.DisposeAsync();
        if (Browser is not null)
            await Browser.DisposeAsync();
    }
}
