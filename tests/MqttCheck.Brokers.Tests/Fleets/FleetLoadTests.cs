using MqttCheck.Clients;
using MqttCheck.Latency.Features;
using MqttCheck.Latency.Models;
using MqttCheck.Logs;
using MqttCheck.Profiles;
using MqttCheck.Simulation;
using MqttCheck.Statistics;
using MqttCheck.Statistics.Laws;

namespace MqttCheck.Brokers.Tests.Fleets;

/// <summary>The keys of a profile that change the load with time, seen in what a live fleet does.</summary>
public sealed class FleetLoadTests
{
    [Test]
    public void Clients_connect_at_the_rate_and_nobody_counts_before_all_are_there()
    {
        var run = VirtualRun.Of(VirtualRun.Profile() with { ConnectsPerSecond = 10 });

        var result = run.Run();

        var first = run
            .Log.Exchanges.Where(exchange => exchange.Message == MessageKind.Connect)
            .GroupBy(exchange => exchange.Client)
            .OrderBy(client => client.Key)
            .Select(client => client.Min(exchange => exchange.IntendedMicroseconds) / 1000);
        var counted = run.Log.Exchanges.Where(exchange => exchange.Phase == ExchangePhase.Counted).ToArray();
        Assert.That(first, Is.EqualTo([0, 100, 200, 300, 400]).Within(.001));
        Assert.That(counted.Min(exchange => exchange.SentMicroseconds), Is.GreaterThanOrEqualTo(500_000));
        Assert.That(result.Outcomes, Has.Count.EqualTo(20));
        Assert.That(
            counted.GroupBy(exchange => (exchange.Client, exchange.Sequence)).Select(group => group.Count()),
            Has.All.EqualTo(10)
        );
        // The first clients kept up their load in the meantime.
        Assert.That(
            run.Log.Exchanges.Count(exchange =>
                exchange.Client == 0 && exchange.Phase == ExchangePhase.WarmUp && exchange.EndMicroseconds < 500_000
            ),
            Is.GreaterThan(30)
        );
    }

    [Test]
    public void A_ramp_up_takes_its_time_whatever_the_waits()
    {
        var run = VirtualRun.Of(VirtualRun.Profile(wait: new ConstantLaw(60_000)) with { RampUpSeconds = 2 });

        run.Run();

        var connects = run.Log.Exchanges.Where(exchange => exchange.Message == MessageKind.Connect);
        Assert.That(
            connects.GroupBy(exchange => exchange.Client).Select(client => client.Min(one => one.SentMicroseconds)),
            Has.All.LessThan(2_000_000)
        );
    }

    [Test]
    public void Clients_send_as_much_as_each_stage_says()
    {
        // Half a second as the waits say, half a second four times as much.
        LoadStage[] stages = [new(.5, 1), new(.5, 4)];
        var run = VirtualRun.Of(VirtualRun.Profile(wait: new ExponentialLaw(20)) with { Stages = [.. stages] });
        run.Setup = run.Setup with { CountedSequences = null, Duration = TimeSpan.FromSeconds(20) };

        run.Run();

        var sent = run
            .Log.Exchanges.Where(exchange => exchange.Phase != ExchangePhase.Reset)
            .Where(exchange => exchange.SentMicroseconds < 20e6)
            .CountBy(exchange => exchange.SentMicroseconds % 1e6 < 500_000)
            .ToDictionary();
        Assert.That(sent[false] / (double)sent[true], Is.EqualTo(4).Within(.5));
    }

    [TestCase(0, StationarityState.Reached)]
    [TestCase(30, StationarityState.Unknown, Description = "the ramp-up is not over")]
    public void Stationarity_is_judged_in_stages_and_not_in_the_ramp_up(int rampUpSeconds, StationarityState expected)
    {
        LoadStage[] stages = [new(4, 1), new(4, 8)];
        var run = VirtualRun.Of(
            VirtualRun.Profile(wait: new ExponentialLaw(20)) with
            {
                RampUpSeconds = rampUpSeconds,
                Stages = [.. stages],
            }
        );
        run.Setup = run.Setup with { CountedSequences = null, Duration = TimeSpan.FromSeconds(9) };

        Assert.That(run.Run().WarmUp.State, Is.EqualTo(expected));
    }

    [Test]
    public void The_simulation_sends_at_the_same_times_as_the_fleet()
    {
        LoadStage[] stages = [new(.3, 1), new(.2, 5), new(.1, 0)];
        var profile = VirtualRun.Profile(wait: new ExponentialLaw(20)) with
        {
            ConnectsPerSecond = 20,
            Stages = [.. stages],
        };
        var run = VirtualRun.Of(profile);
        run.Run();

        // The same seed: both draw the same waits.
        var starts = new Starts { OfClient3 = [] };
        var setup = new SimulatedFleet
        {
            Population = run.Setup.Population,
            Clients = run.Setup.Clients,
            Sequences = 4,
        };
        FleetSimulation.Observe(new LawLatencyModel(new ConstantLaw(.2)), setup, replication: 0, ref starts);
        var live = run
            .Log.Exchanges.Where(exchange => exchange.Client == 3 && exchange.Phase != ExchangePhase.Reset)
            .OrderBy(exchange => exchange.IssueIndex)
            .Select(exchange => exchange.SentMicroseconds / 1000)
            .Take(40);
        // Connecting takes a little longer on the wire.
        Assert.That(starts.OfClient3.Take(40), Is.EqualTo(live).Within(10));
        Assert.That(starts.OfClient3[0], Is.EqualTo(150));
    }

    private struct Starts : IFleetObserver
    {
        public List<double> OfClient3;

        public readonly void SetUp(int client, in ClientAction action, double begun, double now) { }

        public readonly void Started(
            int client,
            int sequence,
            in ClientAction action,
            in ExchangeFeatures features,
            double now
        )
        {
            if (client == 3 && action.Phase != ExchangePhase.Reset)
                OfClient3.Add(now);
        }

        public readonly void Ended(int client, int sequence, in ClientAction action, double started, double now) { }
    }
}
