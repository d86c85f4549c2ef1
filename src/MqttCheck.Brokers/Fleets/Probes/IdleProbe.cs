using MqttCheck.Brokers.Fleets.Captures;
using MqttCheck.Brokers.Processes;
using MqttCheck.Brokers.Wire;
using MqttCheck.Clients;
using MqttCheck.Logs;
using MqttCheck.Profiles;
using MqttCheck.Protocol;
using MqttCheck.Statistics.Laws;

namespace MqttCheck.Brokers.Fleets.Probes;

/// <summary>
/// Measures the idle latency of a broker with a fleet of one client, whose only sequence is: connect, subscribe,
/// publish to itself again and again.
/// </summary>
internal sealed class IdleProbe
{
    // The first exchanges pay for just-in-time compilation and cold caches.
    private const int Discarded = 60;
    private const int MostSamples = 30_000;

    private readonly FleetSetup _setup;
    private readonly Func<WireOptions, IWire>? _createWire;

    /// <summary>A probe of a broker.</summary>
    /// <param name="endpoint">The broker.</param>
    /// <param name="credentials">How to log in, or null for anonymous.</param>
    /// <param name="prefix">The beginning of its topic, as <see cref="FleetSetup.Prefix"/>.</param>
    /// <param name="samples">How many messages to measure, 1 .. 30 000.</param>
    /// <param name="createWire">Makes the event loop; by default that of <see cref="Client"/>.</param>
    public IdleProbe(
        WireEndpoint endpoint,
        Credentials? credentials,
        string prefix,
        int samples = 500,
        Func<WireOptions, IWire>? createWire = null
    )
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(samples, 1);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(samples, MostSamples);
        var profile = new UsageProfile
        {
            Name = "idle",
            WaitMilliseconds = new ConstantLaw(0),
            // While the only topic is not subscribed, this weight makes a publication practically impossible.
            Weights = new(Connect: 1, Disconnect: 0, Publish: 1, Subscribe: 1e12, Unsubscribe: 0),
            Topics = 1,
            MinimumPayloadBytes = UsageProfile.SmallestPayloadBytes,
            MaximumPayloadBytes = UsageProfile.SmallestPayloadBytes,
            SequenceLength = 2 + Discarded + samples,
        };
        _setup = new()
        {
            Population = Population.Of(profile),
            Clients = 1,
            CountedSequences = 1,
            Endpoint = endpoint,
            Credentials = credentials,
            Prefix = prefix,
        };
        _createWire = createWire;
    }

    /// <summary>The beginning of its topic. Default: none.</summary>
    public string TopicPrefix { get; init; } = "";

    /// <summary>The name of its topic, as <see cref="UsageProfile.TopicName"/>.</summary>
    public string TopicName { get; init; } = UsageProfile.TopicField;

    /// <summary>The protocol spoken. Default 3.1.1.</summary>
    public ProtocolVersion ProtocolVersion { get; init; } = ProtocolVersion.V311;

    /// <summary>Which MQTT client carries the requests. Default the own one.</summary>
    public ClientKind Client { get; init; } = ClientKind.Own;

    /// <summary>Measures.</summary>
    /// <param name="cancellation">Ends the measurement early.</param>
    /// <exception cref="BrokerException">The broker cannot be reached, or fails to answer.</exception>
    /// <exception cref="OperationCanceledException">The measurement was ended early.</exception>
    public IdleLatency Run(CancellationToken cancellation = default)
    {
        var profile = _setup.Population.Groups[0].Profile with { TopicName = TopicName };
        var log = new PublicationLatencies(profile.SequenceLength);
        var result = new FleetRun(
            _setup with
            {
                Population = Population.Of(profile),
                TopicPrefix = TopicPrefix,
                ProtocolVersion = ProtocolVersion,
                Client = Client,
            },
            log,
            createWire: _createWire
        ).Run(cancellation);
        cancellation.ThrowIfCancellationRequested();
        if (result.FirstFailures.Count > 0)
            throw new BrokerException($"The broker failed while it was idle: {result.FirstFailures[0]}.");
        var sorted = log.Milliseconds[Discarded..].ToArray();
        Array.Sort(sorted);
        // The rank of the median is binomial: 2.576 standard deviations to both sides contain 99 %.
        var spread = Math.Min(.5, 2.576 / (2 * Math.Sqrt(sorted.Length)));
        return new(
            sorted.Length,
            sorted[0],
            WireErrors.Quantile(sorted, 0.5),
            WireErrors.Quantile(sorted, 0.5 - spread),
            WireErrors.Quantile(sorted, 0.5 + spread),
            WireErrors.Quantile(sorted, 0.9),
            WireErrors.Quantile(sorted, 0.99),
            sorted[^1]
        );
    }

    private sealed class PublicationLatencies(int capacity) : IExchangeSink
    {
        public List<double> Milliseconds { get; } = new(capacity);

        public void Append(in Exchange exchange)
        {
            if (exchange is { Message: MessageKind.Publish, Phase: ExchangePhase.Counted })
                Milliseconds.Add(exchange.LatencyMilliseconds);
        }
    }
}
