using MqttCheck.Broker.Delays;
using MqttCheck.Brokers.Campaigns;
using MqttCheck.Brokers.Campaigns.LiveProperties;
using MqttCheck.Brokers.Embedded;
using MqttCheck.Brokers.Fleets;
using MqttCheck.Brokers.Tests.Fleets;
using MqttCheck.Health;
using MqttCheck.Profiles;
using MqttCheck.Properties.Live;
using MqttCheck.Properties.Traces;
using MqttCheck.Statistics.Laws;

namespace MqttCheck.Brokers.Tests.Campaigns.LiveProperties;

/// <summary>
/// Properties on live embedded brokers; bounds lie so far off that the speed of the machine does not matter.
/// </summary>
[TestFixture, NonParallelizable]
internal sealed class PropertyVerificationTests
{
    private const int Clients = 20;

    [TestCase("P>=0.9[ G latency(publish) < 60s ]", true)]
    [TestCase("P>=0.9[ G latency(publish) < 1us ]", false)]
    [TestCase("P>=0.9[ F failed ]", false)]
    [TestCase("Q0.9[ max latency ] < 1us", false)]
    [Category("Whole")]
    public async Task Runs_are_made_until_there_is_a_verdict(string property, bool holds)
    {
        await using var broker = EmbeddedBroker.Start(new() { Delays = DelayPlan.Parse("constant:1ms", "test") });
        var sink = new ExchangeList();
        var result = Run(broker, property, _ => true, sink: sink);
        Assert.That(result.Result.Holds, Is.EqualTo(holds));
        Assert.That(
            result.Result.Runs,
            Has.Count.EqualTo(result.Runs.Count)
                .And.Count.EqualTo(holds ? result.Result.Plan.FirstMetLook : result.Result.Plan.FirstViolatedLook)
        );
        Assert.That(
            result.Result.Traces,
            Is.EqualTo(result.Runs.Sum(run => run.Outcomes.Count)),
            "a trace of this property is a sequence"
        );
        Assert.That(
            sink.Exchanges.Select(exchange => exchange.Run).Distinct().Count(),
            Is.EqualTo(result.Runs.Count),
            "all exchanges are passed on to the log"
        );
        Assert.That((result.Result.Unusable, result.Interrupted), Is.EqualTo(((string?)null, false)));
    }

    [Test]
    public async Task A_run_that_the_generator_spoilt_is_made_again()
    {
        await using var broker = EmbeddedBroker.Start(new());
        var asked = 0;
        var result = Run(broker, "P>=0.9[ G latency < 1us ]", _ => ++asked != 2);
        Assert.That(
            (result.Runs.Count, result.Result.Runs.Count, result.Result.Unusable, result.Result.Holds),
            Is.EqualTo((asked, asked - 1, (string?)null, false))
        );
    }

    [Test]
    public async Task Where_every_run_is_spoilt_it_gives_up()
    {
        await using var broker = EmbeddedBroker.Start(new());
        var result = Run(broker, "P>=0.9[ G latency < 60s ]", _ => false);
        Assert.That(
            (result.Result.Holds, result.Result.Runs.Count),
            Is.EqualTo(((bool?)null, 0)),
            "nothing was counted"
        );
        Assert.That(
            result.Result.Reason,
            Does.Match(@"^(\d+) of \1 runs are invalid.* Otherwise it would be: withheld, no trace was finished$")
        );
    }

    [Test]
    [Category("Whole")]
    public async Task Without_time_one_run_is_made_and_nothing_is_said()
    {
        await using var broker = EmbeddedBroker.Start(new());
        var result = Run(broker, "P>=0.99[ G latency < 60s ]", _ => true, budget: TimeSpan.Zero);
        Assert.That((result.Result.Holds, result.Result.Runs.Count), Is.EqualTo(((bool?)null, 1)));
        Assert.That(
            result.Result.Reason,
            Does.Match(@"1 run was made; that it holds takes \d+ at least, that it is violated \d+: allow more time")
        );
    }

    [Test]
    [Category("Whole")]
    public async Task What_was_counted_before_an_interruption_is_kept()
    {
        await using var broker = EmbeddedBroker.Start(new());
        using var stop = new CancellationTokenSource();
        var runs = 0;
        var result = Run(
            broker,
            "P>=0.99[ G latency < 60s ]",
            _ =>
            {
                if (++runs == 2)
                    stop.Cancel();
                return true;
            },
            orderly: stop.Token
        );
        Assert.That((result.Interrupted, result.Result.Runs.Count, result.Cases.Count), Is.EqualTo((true, 2, 2)));
        Assert.That(result.Result.Traces, Is.GreaterThan(0));
    }

    private static PropertyVerificationResult Run(
        EmbeddedBroker broker,
        string text,
        Func<RunHealth, bool> isValid,
        TimeSpan? budget = null,
        ExchangeList? sink = null,
        CancellationToken orderly = default
    )
    {
        var property = LiveProperty.Of(TraceProperty.Parse(text), QuickPopulation.Value);
        var options = property.Requirement(.05);
        var plan = LivePropertyPlan.For(property, options, QuickPopulation.Value, Clients);
        return new PropertyVerification(
            broker,
            new CampaignOptions { Seed = 5, Prefix = FleetSetup.NewPrefix() },
            TimeProvider.System
        )
        {
            IsValid = isValid,
        }.Run(
            new(property, options, plan.Runs),
            QuickPopulation.Value,
            Clients,
            plan.CountedSequences,
            new(budget ?? TimeSpan.FromMinutes(2)),
            sink ?? new ExchangeList(),
            null,
            orderly,
            default
        );
    }
}
