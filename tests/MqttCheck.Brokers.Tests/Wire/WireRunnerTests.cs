using MqttCheck.Brokers.Wire;

namespace MqttCheck.Brokers.Tests.Wire;

[TestFixture]
internal sealed class WireRunnerTests
{
    [Test, CancelAfter(60_000)]
    public async Task It_ends_once_however_many_end_it()
    {
        var runner = new WireRunner("test");
        runner.Start();
        var (first, second) = (0, 0);
        await Task.WhenAll(runner.EndAsync(() => first++), runner.EndAsync(() => second++));
        await runner.DisposeAsync();
        Assert.That((first, second, runner.Failure), Is.EqualTo((1, 0, (string?)null)));
    }

    [Test, CancelAfter(60_000)]
    public async Task Whoever_leaves_waits_until_the_wire_stops()
    {
        var runner = new WireRunner("test");
        runner.Start();
        var leaving = runner.LeaveAsync(() => { });
        var another = runner.EndAsync(() => Assert.Fail("It was leaving already."));
        Assert.That((leaving.IsCompleted, another.IsCompleted), Is.EqualTo((false, false)));
        runner.Wire.Post(runner.Wire.Stop);
        await Task.WhenAll(leaving, another);
        Assert.That(runner.Failure, Is.Null);
    }

    [Test, CancelAfter(60_000)]
    public async Task A_handler_that_throws_ends_it_with_its_failure()
    {
        var hasEnded = false;
        var runner = new WireRunner(WireFactory.Create(new WireOptions()), "test", () => hasEnded = true);
        runner.Start();
        runner.Wire.Post(() => throw new InvalidOperationException("A handler failed."));
        await runner.Completion;
        Assert.That(runner.Failure, Does.Contain("A handler failed."));
        Assert.That(hasEnded);
    }
}
