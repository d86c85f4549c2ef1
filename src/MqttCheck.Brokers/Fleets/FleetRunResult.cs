using MqttCheck.Brokers.Fleets.Machine;
using MqttCheck.Clients;
using MqttCheck.Health;
using MqttCheck.Logs;
using MqttCheck.Verification.Deciding;

namespace MqttCheck.Brokers.Fleets;

/// <summary>
/// The result of a fleet run without its logged exchanges: the outcomes to check, and the health of the run.
/// </summary>
public sealed record FleetRunResult : IMadeRun
{
    /// <summary>Number of the run.</summary>
    public required int Run { get; init; }

    /// <summary>
    /// The counted sequences in the order in which they began; those the end of the run cut are
    /// <see cref="OutcomeStatus.Unfinished"/>.
    /// </summary>
    public required IReadOnlyList<Outcome> Outcomes { get; init; }

    /// <summary>
    /// How many exchanges ended how: one count per value of <see cref="ExchangeOutcome"/>, indexed by it.
    /// </summary>
    public required IReadOnlyList<long> ExchangesByOutcome { get; init; }

    /// <summary>Publications sent.</summary>
    public required long Publications { get; init; }

    /// <summary>Messages of this run that arrived, awaited or not.</summary>
    public required long Deliveries { get; init; }

    /// <summary>Awaited deliveries that had not come when their exchange timed out.</summary>
    public required long Lost { get; init; }

    /// <summary>
    /// Messages that reached the same client again without a reason. Legal at QoS 1, a fault at QoS 2.
    /// </summary>
    public required long Duplicates { get; init; }

    /// <summary>Messages that a resumed session sent again with DUP set, as it must.</summary>
    public required long Redeliveries { get; init; }

    /// <summary>Messages on the run's topics that are not of this run, or not what was published.</summary>
    public required long Strays { get; init; }

    /// <summary>
    /// How busy and how late the generator was, and what it saw of the broker: whether the run's numbers can be used.
    /// </summary>
    public required RunHealth Health { get; init; }

    /// <summary>When the run's latencies became stationary, or that they never did.</summary>
    public required WarmUp WarmUp { get; init; }

    /// <summary>
    /// Processor time of the generator's thread over wall time, 0 .. 1; NaN where the system does not tell. Above 0.8
    /// the generator may be what was measured.
    /// </summary>
    public double GeneratorCpuShare => Health.GeneratorCpuShare;

    /// <summary>
    /// When the run began, on the monotonic clock: the zero of its times; see <see cref="WallClock"/>.
    /// </summary>
    public required long StartNanoseconds { get; init; }

    /// <summary>The time from the start of the run to the end of its last exchange.</summary>
    public required TimeSpan Duration { get; init; }

    /// <summary>Whether the run was cancelled before it was done.</summary>
    public required bool Interrupted { get; init; }

    /// <summary>
    /// Clients whose session may still be on the broker, because cleaning it up failed or was cut short.
    /// </summary>
    public required int SessionsLeft { get; init; }

    /// <summary>The first failures in words: client, request, what the broker answered.</summary>
    public required IReadOnlyList<string> FirstFailures { get; init; }

    /// <summary>How many exchanges ended in the given way.</summary>
    /// <param name="outcome">The way.</param>
    public long Count(ExchangeOutcome outcome) => ExchangesByOutcome[(int)outcome];

    /// <summary>How many exchanges were begun.</summary>
    public long Exchanges => ExchangesByOutcome.Sum();

    /// <summary>How many exchanges failed: they neither succeeded nor were cancelled.</summary>
    internal long Failed => Exchanges - Count(ExchangeOutcome.Success) - Count(ExchangeOutcome.Cancelled);
}
