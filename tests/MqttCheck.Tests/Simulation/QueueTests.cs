using MqttCheck.Clients;
using MqttCheck.Latency.Features;
using MqttCheck.Profiles;
using MqttCheck.Simulation;
using MqttCheck.Statistics.Laws;

namespace MqttCheck.Tests.Simulation;

/// <summary>
/// Fleets before a broker that is a queue: a latency that depends on the others, with known answers from queueing
/// theory.
/// </summary>
public sealed class QueueTests
{
    // M/M/1//N, the machine repair model: N clients think for Exp(mean Z), one server with Exp(mean S). In equilibrium
    // p(k) ~ N! / (N - k)! (S/Z)^k messages are at the server; one that arrives meets k others with the probability
    // p(k) of a system with N - 1 clients (arrival theorem) and stays for a sum of k + 1 service times.
    private static double SojournBelow(double t, int clients, double think, double service)
    {
        var weights = new double[clients];
        weights[0] = 1;
        for (var k = 1; k < clients; k++)
            weights[k] = weights[k - 1] * (clients - k) * service / think;
        double probability = 0,
            term = Math.Exp(-t / service),
            tail = term;
        for (var k = 0; k < clients; k++)
        {
            // P(sum of k + 1 exponentials < t) = 1 - sum over j <= k of e^-x x^j / j!
            probability += weights[k] / weights.Sum() * (1 - tail);
            term *= t / service / (k + 1);
            tail += term;
        }
        return probability;
    }

    // 240 000 sojourn times of 20 000 cycles per client; successive ones are correlated over a few busy periods. Seed
    // fixed; 20 batches give a standard error, 3 of which are allowed.
    [TestCase(3, 10.0)]
    [TestCase(12, 10.0)]
    [TestCase(12, 40.0)]
    public void The_law_of_the_sojourn_time_is_that_of_the_machine_repair_model(int clients, double think)
    {
        const double service = 4;
        var setup = new SimulatedFleet
        {
            Population = Population.Of(TestProfiles.Publisher(new ExponentialLaw(think), length: 10_000)),
            Clients = clients,
            Sequences = 2,
            Seed = 11,
        };
        var watched = new FleetSimulationTests.Recorder { Started = [], Ended = [] };
        FleetSimulation.Observe(new SingleServerModel(new ExponentialLaw(service)), setup, 0, ref watched);
        var values = Counted(watched);
        foreach (var threshold in new[] { 2.0, 8, 20 })
        {
            var batches = values
                .Chunk(values.Length / 20)
                .Take(20)
                .Select(batch => batch.Count(value => value < threshold) / (double)batch.Length)
                .ToArray();
            var mean = batches.Average();
            var error = Math.Sqrt(batches.Sum(batch => (batch - mean) * (batch - mean)) / 19 / 20);
            Assert.That(mean, Is.EqualTo(SojournBelow(threshold, clients, think, service)).Within(3 * error));
        }
    }

    [Test]
    public void An_exchange_that_visits_a_server_twice_takes_two_service_times_and_what_others_put_in_between()
    {
        var setup = new SimulatedFleet
        {
            Population = Population.Of(TestProfiles.Publisher(new ConstantLaw(100))),
            Clients = 1,
            Seed = 1,
        };
        var alone = FleetSimulation.Run(new SingleServerModel(new ConstantLaw(3), visits: 2), setup, 1, 1);
        Assert.That(alone.WorstMilliseconds[0], Is.EqualTo(6).Within(1e-9));
        // Both clients arrive together: the second visits queue behind the first visit of the other client, so the
        // exchanges end after 9 and 12 ms.
        var watched = new FleetSimulationTests.Recorder { Started = [], Ended = [] };
        var single = Population.Of(TestProfiles.Publisher(new ConstantLaw(100), length: 1));
        FleetSimulation.Observe(
            new SingleServerModel(new ConstantLaw(3), visits: 2),
            setup with
            {
                Population = single,
                Clients = 2,
            },
            0,
            ref watched
        );
        Assert.That(Counted(watched), Is.EqualTo(new[] { 9, 12 }).Within(1e-9));
    }

    private static double[] Counted(FleetSimulationTests.Recorder watched) =>
        [.. watched.Ended.Where(e => e.Action.Phase == ExchangePhase.Counted).Select(e => e.Latency)];
}
