using System.Globalization;
using MqttCheck.Brokers.Fleets;
using MqttCheck.Brokers.Processes;
using MqttCheck.Brokers.Wire;
using MqttCheck.Logs;
using MqttCheck.Profiles;
using MqttCheck.Statistics;

namespace MqttCheck.NUnit;

/// <summary>
/// A setup on a broker, and the runs that were made of it so far. A constraint makes as many as it needs; a second constraint on the same measurement (<c>Meets.A &amp; Meets.B</c>) looks at the same runs first.
/// </summary>
/// <remarks>
/// What is measured is the machine too, so only one run at a time is made in a process, whatever NUnit runs in parallel. The members are safe to call from one thread at a time.
/// </remarks>
public sealed class Measurement
{
    private readonly List<MeasuredRun> _runs = [];
    private readonly MeasureOptions _options;
    private readonly string _prefix = FleetSetup.NewPrefix();
    private int? _sequencesPerClient;

    /// <summary>A measurement without runs so far; usually made by <see cref="BrokerMeasurement"/>.</summary>
    /// <param name="broker">The broker, running.</param>
    /// <param name="population">Who the clients are and what they do.</param>
    /// <param name="clients">How many clients.</param>
    /// <param name="options">How to load the broker.</param>
    /// <param name="cancellation">Ends the measurement.</param>
    /// <exception cref="InputException">A value is out of its range.</exception>
    public Measurement(IBrokerUnderTest broker, Population population, int clients, MeasureOptions options, CancellationToken cancellation)
    {
        ArgumentNullException.ThrowIfNull(broker);
        ArgumentNullException.ThrowIfNull(population);
        ArgumentNullException.ThrowIfNull(options);
        (Broker, Population, Clients, _options, Cancellation, Seed) = (broker, population, clients, options, cancellation, options.EffectiveSeed);
        _sequencesPerClient = options.SequencesPerClient;
        var errors = Setup(0, _sequencesPerClient ?? 1).Validate();
        if (errors.Count > 0) throw new InputException("measurement: " + string.Join('\n', errors));
    }

    /// <summary>The broker.</summary>
    public IBrokerUnderTest Broker { get; }

    /// <summary>Who the clients are and what they do.</summary>
    public Population Population { get; }

    /// <summary>How many clients.</summary>
    public int Clients { get; }

    /// <summary>The seed of every choice that the clients make.</summary>
    public ulong Seed { get; }

    /// <summary>The runs that were made so far.</summary>
    public IReadOnlyList<MeasuredRun> Runs => _runs;

    /// <summary>How many messages make a sequence.</summary>
    public int SequenceLength => Population.Groups.Max(group => group.Profile.SequenceLength);

    /// <summary>How long a sequence takes, waiting alone, on average.</summary>
    public TimeSpan SequenceTime => TimeSpan.FromMilliseconds(Population.Groups.Max(group => group.Profile.SequenceLength * group.Profile.WaitMilliseconds.Mean));

    /// <summary>How many sequences of each client count in each run, as far as that is settled: by the options, or by the first run.</summary>
    internal int? SequencesPerClient => _sequencesPerClient;

    /// <summary>Whether a run can be used; replaced where the state of the machine must not matter.</summary>
    internal Func<RunHealth, bool> IsValid { get; init; } = health => health.IsValid;

    internal CancellationToken Cancellation { get; }

    /// <summary>The setup in words.</summary>
    public override string ToString() =>
        string.Create(CultureInfo.InvariantCulture, $"{Clients} {(Clients == 1 ? "client" : "clients")} of profile {Population.Name} on {Broker.Description.Name}");

    /// <summary>A run: one that was made already, or else the next one.</summary>
    /// <param name="index">Its number, from 0, at most <see cref="Runs"/> so far.</param>
    /// <param name="sequencesPerClient">How many sequences of each client are to count, where no run was made yet and the options do not say.</param>
    /// <exception cref="BrokerException">The broker cannot be reached, or ended.</exception>
    /// <exception cref="OperationCanceledException">The measurement was cancelled.</exception>
    public MeasuredRun Run(int index, int sequencesPerClient)
    {
        if (index < _runs.Count) return _runs[index];
        ArgumentOutOfRangeException.ThrowIfGreaterThan(index, _runs.Count);
        _sequencesPerClient ??= sequencesPerClient;
        try
        {
            var sink = new ExchangeList();
            var setup = Setup(index, _sequencesPerClient.Value);
            var result = Turns.Take(() => new FleetRun(setup, sink).Run(Cancellation, CancellationToken.None), Cancellation);
            if (result.Interrupted) Cancellation.ThrowIfCancellationRequested();
            var run = new MeasuredRun(result, sink.Exchanges);
            _runs.Add(run);
            return run;
        }
        catch (BrokerException exception) when (Broker.Failure is { } failure)
        {
            throw new BrokerException($"{failure}\n{exception.Message}", exception);
        }
    }

    private FleetSetup Setup(int run, int sequencesPerClient) => new()
    {
        Population = Population,
        Clients = Clients,
        CountedSequences = sequencesPerClient,
        // The clients of a measurement must not choose as those of an exploration with the same seed do.
        Seed = RandomStream.For(Seed, 5).NextUInt64(),
        Run = run,
        Endpoint = Broker.Endpoint,
        Credentials = Broker.Credentials,
        Prefix = string.Create(CultureInfo.InvariantCulture, $"{_prefix}{run:D4}/"),
        ProtocolVersion = _options.ProtocolVersion,
        ExchangeTimeout = _options.ExchangeTimeout,
        MaximumRequestsPerSecond = _options.MaximumRequestsPerSecond,
    };
}
