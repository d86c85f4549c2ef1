using MqttCheck.Brokers.Processes;
using MqttCheck.Health;
using MqttCheck.Logs;
using MqttCheck.Testing.Reporting;

namespace MqttCheck.Testing;

/// <summary>
/// The object of measurement, and the runs that were made of it so far. A requirement makes as many runs as it needs. A
/// second requirement on the same measurement first uses the existing runs.
/// </summary>
/// <remarks>
/// The machine affects every measurement, so a process makes only one run at a time, even if tests run in
/// parallel. The members are safe to call from one thread at a time.
/// </remarks>
public abstract class Measurement
{
    private readonly List<MeasuredRun> _runs = [];
    private readonly CancellationToken _cancellation;

    private protected Measurement(int clients, ulong seed, int? sequencesPerClient, CancellationToken cancellation) =>
        (Clients, Seed, SequencesPerClient, _cancellation) = (clients, seed, sequencesPerClient, cancellation);

    /// <summary>How many clients.</summary>
    public int Clients { get; }

    /// <summary>The seed of every choice that the clients make.</summary>
    public ulong Seed { get; }

    /// <summary>The name of the usage profile that the clients follow, by which a prediction knows them.</summary>
    public abstract string Profile { get; }

    /// <summary>The runs that were made so far.</summary>
    public IReadOnlyList<MeasuredRun> Runs => _runs;

    /// <summary>How long a sequence takes on average, as far as that is known before the first run.</summary>
    public abstract TimeSpan SequenceTime { get; }

    /// <summary>
    /// How many sequences of each client count in each run, as far as that is settled: by the options, or by the first
    /// run.
    /// </summary>
    internal int? SequencesPerClient { get; private set; }

    /// <summary>How long a run takes beside what counts, as far as clients take as long as their mean.</summary>
    internal abstract TimeSpan RunOverhead { get; }

    /// <summary>How long a run takes.</summary>
    /// <param name="sequences">How many sequences of each client count.</param>
    internal virtual TimeSpan RunTimeOf(int sequences) => sequences * SequenceTime + RunOverhead;

    /// <summary>Whether a run can be used; given where the state of the machine must not matter.</summary>
    internal Func<RunHealth, bool>? IsValid { get; set; }

    /// <summary>The services of the test framework for the test that decides on this measurement.</summary>
    internal TestHost Host { get; set; } = new();

    /// <summary>Ends the runs: what the measurement was given, or else what ends the test.</summary>
    internal CancellationToken Cancellation => _cancellation.CanBeCanceled ? _cancellation : Host.Token;

    /// <summary>The words for what is measured.</summary>
    internal abstract MeasurementWords Words { get; }

    /// <summary>The broker with what moves its latencies, in words; null where the measurement knows none.</summary>
    internal abstract string? Environment { get; }

    /// <summary>The broker as a model names it; null where the measurement knows none.</summary>
    internal virtual LoggedBroker? Logged => null;

    /// <summary>The failures so far, in words; null where nothing failed.</summary>
    internal abstract string? Failures { get; }

    /// <summary>A run: one that was made already, or else the next one.</summary>
    /// <param name="index">Its number, from 0, at most <see cref="Runs"/> so far.</param>
    /// <param name="sequencesPerClient">
    /// How many sequences of each client are to count, where no run was made yet and the options do not say.
    /// </param>
    /// <exception cref="BrokerException">The broker cannot be reached, or ended.</exception>
    /// <exception cref="OperationCanceledException">The measurement was cancelled.</exception>
    public MeasuredRun Run(int index, int sequencesPerClient)
    {
        if (index < _runs.Count)
            return _runs[index];
        ArgumentOutOfRangeException.ThrowIfGreaterThan(index, _runs.Count);
        SequencesPerClient ??= sequencesPerClient;
        var run = Make(index, SequencesPerClient.Value);
        _runs.Add(run);
        return run;
    }

    /// <summary>Whatever must happen before the first run is planned.</summary>
    internal virtual void Prepare() { }

    /// <summary>Refuses a latency that this measurement does not have.</summary>
    /// <exception cref="InputException">It has none.</exception>
    internal abstract void Check(MeasuredLatency latency, string? step);

    /// <summary>How many samples a sequence has, on average.</summary>
    internal abstract double SamplesPerSequence(MeasuredLatency latency, string? step);

    private protected abstract MeasuredRun Make(int index, int sequencesPerClient);
}
