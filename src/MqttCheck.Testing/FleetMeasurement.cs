using System.Globalization;
using MqttCheck.Brokers.Fleets;
using MqttCheck.Brokers.Processes;
using MqttCheck.Brokers.Rights;
using MqttCheck.Brokers.Wire;
using MqttCheck.Logs;
using MqttCheck.Profiles;
using MqttCheck.Protocol;
using MqttCheck.Statistics;
using MqttCheck.Testing.Reporting;
using MqttCheck.Verification.Planning;

namespace MqttCheck.Testing;

/// <summary>Clients that MqttCheck drives on a broker.</summary>
public sealed class FleetMeasurement : Measurement
{
    // This is the time for connecting and cleaning up.
    private static readonly TimeSpan s_aside = TimeSpan.FromSeconds(.3);

    private readonly MeasureOptions _options;
    private readonly string _prefix = FleetSetup.NewPrefix();

    /// <summary>A measurement without runs so far; usually made by <see cref="BrokerMeasurement"/>.</summary>
    /// <param name="broker">The broker, running.</param>
    /// <param name="population">Who the clients are and what they do.</param>
    /// <param name="clients">How many clients.</param>
    /// <param name="options">How to load the broker.</param>
    /// <param name="cancellation">Ends the measurement.</param>
    /// <exception cref="InputException">A value is out of its range.</exception>
    public FleetMeasurement(
        IBrokerUnderTest broker,
        Population population,
        int clients,
        MeasureOptions options,
        CancellationToken cancellation
    )
        : base(clients, Checked(options).EffectiveSeed, options.SequencesPerClient, cancellation)
    {
        ArgumentNullException.ThrowIfNull(broker);
        ArgumentNullException.ThrowIfNull(population);
        (Broker, Population, _options) = (broker, population, options);
        var errors = Setup(0, SequencesPerClient ?? 1).Validate();
        if (errors.Count > 0)
            throw new InputException("measurement: " + string.Join('\n', errors));
    }

    /// <summary>The broker.</summary>
    public IBrokerUnderTest Broker { get; }

    /// <summary>Who the clients are and what they do.</summary>
    public Population Population { get; }

    /// <inheritdoc/>
    public override string Profile => Population.Name;

    /// <summary>How many messages make a sequence.</summary>
    public int SequenceLength => Population.Groups.Max(group => group.Profile.SequenceLength);

    /// <summary>How long a sequence takes, waiting alone, on average.</summary>
    public override TimeSpan SequenceTime => TimeSpan.FromSeconds(RunTime.LeastSequenceSeconds(Population));

    // A run begins with half a sequence and ends about half a sequence after its mean client.
    internal override TimeSpan RunOverhead =>
        SequenceTime + s_aside + TimeSpan.FromSeconds(RunTime.RampUpSeconds(Population, Clients));

    internal override TimeSpan RunTimeOf(int sequences)
    {
        var slowest = TimeSpan.FromSeconds(new RunTime(Population, Clients).SlowestSeconds(sequences)) + s_aside;
        var mean = base.RunTimeOf(sequences);
        return slowest > mean ? slowest : mean;
    }

    internal override MeasurementWords Words => MeasurementWords.Fleet;

    internal override string Environment => FailureMessage.DescribeBroker(Broker);

    internal override LoggedBroker Logged => Broker.Description.Logged(_options.ProtocolVersion, ClientKind.Own);

    internal override string? Failures
    {
        get
        {
            var results = Runs.OfType<FleetMeasuredRun>().Select(run => run.Result).ToList();
            var failed = results.Sum(run => run.Failed);
            return failed == 0
                ? null
                : string.Create(
                    CultureInfo.InvariantCulture,
                    $"{failed} of {results.Sum(run => run.Exchanges)} exchanges; "
                        + $"{results.Sum(run => run.Lost)} deliveries lost. The first: "
                        + $"{results.SelectMany(run => run.FirstFailures).FirstOrDefault()}"
                );
        }
    }

    /// <summary>The setup in words.</summary>
    public override string ToString() =>
        string.Create(
            CultureInfo.InvariantCulture,
            $"{Clients} {(Clients == 1 ? "client" : "clients")} of profile {Population.Name} on "
                + $"{Broker.Description.Name}"
        );

    internal override void Check(MeasuredLatency latency, string? step)
    {
        if (step is not null)
            throw new InputException(
                $"requirement: steps named '{step}' are asked for, but {this} are driven by MqttCheck and "
                    + "have none; allowed: OfStep(...) on Measure.Sequences(...)."
            );
        if (
            latency == MeasuredLatency.Acknowledgement
            && Population.Groups.All(group => group.Profile.Qos == QualityOfService.AtMostOnce)
        )
            throw new InputException(
                $"requirement: profile {Population.Name} publishes with QoS 0, which is not acknowledged; "
                    + "allowed: Delivery or Latency."
            );
    }

    internal override double SamplesPerSequence(MeasuredLatency latency, string? step) =>
        SequenceLength
        * (
            latency == MeasuredLatency.Any
                ? 1
                : Population.Groups.Average(group =>
                {
                    var weights = group.Profile.Weights;
                    return Math.Max(
                        .05,
                        weights.Publish
                            / (
                                weights.Connect
                                + weights.Disconnect
                                + weights.Publish
                                + weights.Subscribe
                                + weights.Unsubscribe
                            )
                    );
                })
        );

    private protected override MeasuredRun Make(int index, int sequencesPerClient)
    {
        try
        {
            var sink = new ExchangeList();
            var setup = Setup(index, sequencesPerClient);
            var result = Turns.Take(
                () =>
                {
                    if (index == 0)
                        RightsProbe.Require(setup, Cancellation);
                    var run = LocalFleetRunner.Instance.Run(setup, sink, null, Cancellation, CancellationToken.None);
                    // Rights may be withdrawn meanwhile, and then the messages reached nobody.
                    RightsProbe.Require(setup, Cancellation, isAfterLoad: true);
                    return run;
                },
                Cancellation
            );
            if (result.Interrupted)
                Cancellation.ThrowIfCancellationRequested();
            return new FleetMeasuredRun(result, sink.Exchanges);
        }
        catch (BrokerException exception) when (Broker.Failure is { } failure)
        {
            throw new BrokerException($"{failure}\n{exception.Message}", exception);
        }
    }

    private static MeasureOptions Checked(MeasureOptions options)
    {
        ArgumentNullException.ThrowIfNull(options);
        return options;
    }

    private FleetSetup Setup(int run, int sequencesPerClient)
    {
        var prefix = string.Create(CultureInfo.InvariantCulture, $"{_prefix}{run:D4}/");
        return FleetSetup.For(Broker, Population, Clients, prefix) with
        {
            CountedSequences = sequencesPerClient,
            // The clients of a measurement must not choose as those of an exploration with the same seed do.
            Seed = SeedPurpose.Requirement.Seed(Seed),
            Run = run,
            ProtocolVersion = _options.ProtocolVersion,
            ExchangeTimeout = _options.ExchangeTimeout,
            MaximumRequestsPerSecond = _options.MaximumRequestsPerSecond,
        };
    }
}
