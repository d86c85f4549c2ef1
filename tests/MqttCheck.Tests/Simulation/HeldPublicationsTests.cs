using MqttCheck.Latency;
using MqttCheck.Latency.Features;
using MqttCheck.Latency.Models;
using MqttCheck.Latency.Nagle;
using MqttCheck.Logs;
using MqttCheck.Profiles;
using MqttCheck.Simulation;
using MqttCheck.Statistics.Laws;
using LoggedExchange = MqttCheck.Logs.Exchange;

namespace MqttCheck.Tests.Simulation;

public sealed class HeldPublicationsTests
{
    private const double Own = 0.3;

    // The timer is the least that the log's analysis takes it to be, so that both can be compared exactly.
    private static NagleModel Model(double share) =>
        new NagleModel(
            new LawLatencyModel(new ConstantLaw(Own)),
            new(share, QuantileTable.From([DelayedAcks.LeastMilliseconds]))
        );

    private static SimulatedFleet Setup(Law wait, int clients) =>
        new()
        {
            Population = Population.Of(
                TestProfiles.Up1 with
                {
                    WaitMilliseconds = wait,
                    Topics = Math.Max(2, clients / 2),
                }
            ),
            Clients = clients,
            Seed = 7,
            Sequences = 6,
        };

    // The analysis of the log knows only what was sent when; it looks into the future, where the simulator moves
    // events.
    [TestCase(3, 20)]
    [TestCase(40, 20)]
    [TestCase(40, 300)]
    [TestCase(130, 60)]
    public void Publication_takes_until_the_last_receiver_that_withholds_an_acknowledgement_sends_or_its_timer_ends(
        int clients,
        double longestWait
    )
    {
        var log = Simulated(Model(1), Setup(new UniformLaw(0, longestWait), clients));
        var (_, holds) = ExchangeLogReplay.FeaturesAndHolds(log, null);
        var (bySending, byTimer) = (0, 0);
        using (Assert.EnterMultipleScope())
        {
            for (var i = 0; i < log.Length; i++)
            {
                if (log[i].Outcome != ExchangeOutcome.Success)
                    continue;
                Assert.That(
                    log[i].LatencyMilliseconds,
                    Is.EqualTo(Math.Max(Own, holds[i].Milliseconds)).Within(1e-6),
                    $"exchange {i}, {log[i].Message}: {holds[i]}"
                );
                if (holds[i].Milliseconds <= Own)
                    continue;
                if (holds[i].ByTimer)
                    byTimer++;
                else
                    bySending++;
            }
        }
        Assert.That(bySending, Is.GreaterThan(5));
        Assert.That(longestWait < 100 || byTimer > 5, Is.True, "timers run out where clients wait for longer");
    }

    [Test]
    public void Nothing_waits_if_no_delivery_is_kept_back() =>
        Assert.That(
            Simulated(Model(0), Setup(new UniformLaw(0, 20), 40))
                .Select(exchange => exchange.LatencyMilliseconds)
                .Where(double.IsFinite),
            Is.All.EqualTo(Own).Within(1e-6)
        );

    [Test]
    public void Results_are_the_same_bit_for_bit_for_any_number_of_threads()
    {
        var setup = Setup(new UniformLaw(0, 20), 37);
        var one = FleetSimulation.Run(Model(.9), setup, 9, threads: 1).WorstMilliseconds.ToArray();
        Assert.That(FleetSimulation.Run(Model(.9), setup, 9, threads: 3).WorstMilliseconds.ToArray(), Is.EqualTo(one));
    }

    private static LoggedExchange[] Simulated(LatencyModel model, SimulatedFleet setup)
    {
        var watched = new FleetSimulationTests.Recorder { Started = [], Ended = [] };
        FleetSimulation.Observe(model, setup, 0, ref watched);
        // Sends to come belong to the log too, though they were not answered.
        var ends = watched.Ended.ToDictionary(ended => (ended.Client, ended.Started), ended => ended.Now);
        return
        [
            .. watched.Started.Select(
                (started, issue) =>
                    new LoggedExchange
                    {
                        Message = started.Action.Kind,
                        Client = started.Client,
                        Topic = started.Action.Topic,
                        Qos = started.Action.Qos,
                        Phase = started.Action.Phase,
                        IssueIndex = issue,
                        SentMicroseconds = started.Now * 1000,
                        EndMicroseconds =
                            ends.GetValueOrDefault((started.Client, started.Now), double.PositiveInfinity) * 1000,
                        LatencyMilliseconds =
                            ends.GetValueOrDefault((started.Client, started.Now), double.NaN) - started.Now,
                        Outcome = ends.ContainsKey((started.Client, started.Now))
                            ? ExchangeOutcome.Success
                            : ExchangeOutcome.Timeout,
                    }
            ),
        ];
    }
}
