using MqttCheck.Clients;
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

    [Test]
    public void A_verdict_names_the_groups_that_it_is_about()
    {
        var property = LiveProperty.Of(
            TraceProperty.Parse("P>=0.9[ G latency(subscribe) < 50ms ]"),
            TwoGroups.Population
        );
        // The sixth client of the ten is the dashboard.
        var fleet = Enumerable
            .Range(0, 10)
            .Select(client => new[] { (client == 5 ? MessageKind.Subscribe : MessageKind.Publish, 1.0) });
        Exchange[] exchanges = [.. LiveExchanges.Run([.. fleet])];
        var test = new LivePropertyTest(property, property.Requirement(.01), new(3, 3, 3, 1));
        Assert.That(test.Result.JudgedOn, Is.Null, "there is no run");
        test.AddRun(property.Judge(exchanges));
        Assert.That(
            test.AddRun(property.Judge(exchanges)).JudgedOn,
            Is.EqualTo("judged on 2 of 20 traces (10.0%; sensors none of 18, dashboards all 2)")
        );
        Assert.That(
            test.AddRun(new(1, 2, 3, 0, 0)).JudgedOn,
            Is.EqualTo("judged on 3 of 23 traces (13.0%)"),
            "of a run that was counted elsewhere the groups are not known"
        );
    }

    private static LivePropertyResult Conclude(double milliseconds, Func<int, RecordedRun> run)
    {
        var options = s_property.Requirement(.01);
        var test = new LivePropertyTest(s_property, options, LivePropertyPlan.For(s_property, options, s_up1, 60).Runs);
        var clients = Enumerable.Repeat(new[] { (MessageKind.Publish, milliseconds) }, 60).ToArray();
        Exchange[] exchanges = [.. LiveExchanges.Run(clients)];
        var series = new LivePropertySeries<RecordedRun>(test, turn => run(turn.Index), _ => exchanges);
        var loop = new RunLoop<RecordedRun>([series], new(TimeSpan.FromMinutes(1)), TimeProvider.System);
        return series.Conclude(loop.Run(CancellationToken.None)[0]);
    }
}
