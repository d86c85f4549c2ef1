using FsCheck;
using FsCheck.Fluent;
using MqttCheck.Broker.Delays;
using MqttCheck.Broker.Faults;
using MqttCheck.NUnit;
using MqttCheck.Statistics.Laws;
using MqttCheck.Testing;

namespace GatewayRequirements;

/// <summary>
/// Whether readings arrive on a broker that takes about 5 ms for everything and loses one reading in a hundred. To see
/// it fail, let it lose more: <c>dotnet test --environment MQTTCHECK_FAULTS=lose:0.3</c>.
/// </summary>
[TestFixture("embedded")]
public sealed class GatewayTests(string broker) : BrokerFixture(broker)
{
    private Collector _collector = null!;

    // What the environment does not say.
    protected override TestBrokerOptions BrokerOptions
    {
        get
        {
            var options = TestBrokerOptions.FromEnvironment();
            return options with
            {
                Delay = options.Delay.IsEmpty ? DelayPlan.Parse("lognormal:5ms,0.3", "sample") : options.Delay,
                Faults = options.Faults.IsEmpty ? FaultPlan.Parse("lose:0.01", "sample") : options.Faults,
            };
        }
    }

    [SetUp]
    public async Task StartCollector() => _collector = await Collector.StartAsync(Broker.Address);

    [TearDown]
    public async Task StopCollector() => await _collector.DisposeAsync();

    // Ten gateways at once; each connects once in a run, and sends five readings in a sequence.
    [Test, CancelAfter(300_000)]
    public async Task Readings_are_answered_in_time_although_some_are_lost(CancellationToken cancellation) =>
        await Assert.ThatAsync(
            () =>
                Measure.Sequences(
                    setUp: (client, token) => Gateway.ConnectAsync(Broker.Address, client.Name, token),
                    sequence: async (client, gateway, token) =>
                    {
                        for (var i = 0; i < 5; i++)
                        {
                            var reading = new Reading($"{client.Name}-{i}", 20 + client.Random.NextDouble());
                            await client.Step("reading", () => gateway.SendAsync(reading, token: token));
                            Assert.That(_collector.Latest[reading.Sensor], Is.EqualTo(reading));
                        }
                    },
                    clients: 10,
                    new() { Broker = Broker, PauseMilliseconds = new UniformLaw(0, 100) },
                    cancellation
                ),
            Meets.Latency(below: 1000.Milliseconds(), probability: 0.9).OfStep("reading")
        );

    // An FsCheck property that need not always hold: without a second attempt a lost reading stays lost.
    [Test, CancelAfter(300_000)]
    public async Task A_single_attempt_is_answered_nine_times_of_ten()
    {
        await using var gateway = await Gateway.ConnectAsync(Broker.Address, "single");
        var celsius = Gen.Choose(-4000, 12_500).Select(hundredths => hundredths / 100.0).ToArbitrary();
        var answered = Prop.ForAll(celsius, value => gateway.SendAsync(new("single", value), attempts: 1));
        Assert.That(answered, Meets.Probability(atLeast: 0.9, within: 0.1, error: 0.01));
    }
}
