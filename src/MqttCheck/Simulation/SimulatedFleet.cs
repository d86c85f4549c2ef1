using System.Globalization;
using MqttCheck.Profiles;

namespace MqttCheck.Simulation;

/// <summary>
/// A simulated setup: a population with a number of clients, and the number of sequences. All clients begin at virtual
/// time 0 with a partial warm-up sequence and an initial wait. Each then does <see cref="Sequences"/> counted
/// sequences. It keeps up the load with further ones until the last counted sequence of every client has ended. The
/// live fleet follows the same rule.
/// </summary>
public sealed record SimulatedFleet
{
    /// <summary>Who sends what, how often.</summary>
    public required Population Population { get; init; }

    /// <summary>How many clients share the broker, 1 or more.</summary>
    public required int Clients { get; init; }

    /// <summary>How many sequences of each client count, 1 or more.</summary>
    public int Sequences { get; init; } = 1;

    /// <summary>The seed; client c of replication r draws from the stream (seed, r, c).</summary>
    public ulong Seed { get; init; } = 1;

    /// <summary>
    /// The grid on which waits end, in milliseconds, for a fleet whose timers are coalesced; 0 (the default) for none.
    /// </summary>
    public double TimerGridMilliseconds { get; init; }

    /// <summary>
    /// How many events one replication may have, 1 or more. A simulation that cannot end (clients without waits and
    /// latencies beside one that waits) is stopped there.
    /// </summary>
    public long MaximumEvents { get; init; } = 200_000_000;

    /// <summary>Checks every value.</summary>
    /// <returns>One line per error: what, the value given, what is allowed. Empty when all is well.</returns>
    public IReadOnlyList<string> Validate()
    {
        var errors = new List<string>();
        if (Clients < 1)
            errors.Add(
                string.Create(CultureInfo.InvariantCulture, $"number of clients is {Clients}; allowed: 1 or more")
            );
        if (Sequences < 1)
            errors.Add(
                string.Create(
                    CultureInfo.InvariantCulture,
                    $"number of counted sequences is {Sequences}; allowed: 1 or more"
                )
            );
        if (!(TimerGridMilliseconds >= 0 && TimerGridMilliseconds <= 1000))
            errors.Add(
                string.Create(
                    CultureInfo.InvariantCulture,
                    $"timer grid is {TimerGridMilliseconds} ms; allowed: 0 (none) to 1000 ms"
                )
            );
        if (MaximumEvents < 1)
            errors.Add(
                string.Create(
                    CultureInfo.InvariantCulture,
                    $"bound on the events of a replication is {MaximumEvents}; allowed: 1 or more"
                )
            );
        if (Population.Groups.Count == 0)
            errors.Add($"population '{Population.Name}' has no groups; allowed: 1 or more");
        return errors;
    }

    internal SimulatedFleet Valid()
    {
        InputException.ThrowIfAny(Validate());
        return this;
    }
}
