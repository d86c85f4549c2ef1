using MqttCheck.Logs;
using MqttCheck.Profiles;
using MqttCheck.Properties.Live;
using MqttCheck.Properties.Traces;
using MqttCheck.Tests.Simulation;
using MqttCheck.Tests.Verification.Deciding;
using MqttCheck.Verification.Deciding;

namespace MqttCheck.Tests.Properties.Live;

/// <summary>What <c>verify --property</c> and tests say after recorded runs of 60 clients.</summary>
[TestFixture]
internal sealed class LivePropertySeriesTests
{
    private static readonly Population s_up1 = Population.Of(TestProfiles.Up1);
    private static readonly LiveProperty s_property = LiveProperty.Of(
        TraceProperty.Parse("P>=0.9[ G latency(publish) < 50ms ]"),
        s_up1
    );

    [TestCase(10, true, "a probability of 0.8 or less is rejected")]
    [TestCase(90, false, "a probability of 0.9 or more is rejected")]
    public void Runs_that_settle_decide(double milliseconds, bool holds, string reason)
    {
        var result = Conclude(milliseconds, _ => RecordedRun.Sound);
        Assert.That((result.Holds, result.Reason), Is.EqualTo(((bool?)holds, reason)));
    }

    [TestCase(10, "holds, a probability of 0.8 or less is rejected")]
    [TestCase(90, "violated, a probability of 0.9 or more is rejected")]
    public void Runs_that_never_settle_decide_nothing(double milliseconds, string otherwise)
    {
        var result = Conclude(milliseconds, _ => RecordedRun.Unsettled);
        Assert.That(result.Holds, Is.Null);
        Assert.That(
            result.Reason,
            Does.Match(@"^(\d+) of \1 runs never became stationary: ")
                .And.EndWith($"Otherwise it would be: {otherwise}")
        );
    }

    [Test]
    public void An_invalid_run_is_made_again()
    {
        var result = Conclude(10, run => run == 1 ? RecordedRun.Late(2) : RecordedRun.Sound);
        Assert.That(
            (result.Holds, result.Unusable, result.Runs.Count),
            Is.EqualTo(((bool?)true, (string?)null, result.Plan.FirstMetLook))
        );
    }

    private static LivePropertyResult Conclude(double milliseconds, Func<int, RecordedRun> run)
    {
        var options = s_property.Requirement(.01);
        var test = new LivePropertyTest(s_property, options, LivePropertyPlan.For(s_property, options, s_up1, 60).Runs);
        var clients = Enumerable.Repeat(new[] { (MqttCheck.Clients.MessageKind.Publish, milliseconds) }, 60).ToArray();
        Exchange[] exchanges = [.. LiveExchanges.Run(clients)];
        var series = new LivePropertySeries<RecordedRun>(test, turn => run(turn.Index), _ => exchanges);
        var loop = new RunLoop<RecordedRun>([series], new(TimeSpan.FromMinutes(1)), TimeProvider.System);
        return series.Conclude(loop.Run(CancellationToken.None)[0]);
    }
}
