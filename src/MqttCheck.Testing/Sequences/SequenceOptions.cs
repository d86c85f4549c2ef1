using MqttCheck.Brokers.Processes;
using MqttCheck.Statistics.Laws;

namespace MqttCheck.Testing.Sequences;

/// <summary>
/// The options for running actions of a user. Options that are not given come from the environment of the test, then
/// from the defaults.
/// </summary>
public sealed record SequenceOptions
{
    /// <summary>
    /// The seed of <see cref="SequenceClient.Random"/> and of the pauses. Default: environment variable
    /// <see cref="MeasureOptions.SeedVariable"/>, otherwise 1.
    /// </summary>
    public ulong? Seed { get; init; }

    /// <summary>
    /// How many sequences of each client count in each run, at least 1; null (the default) for as many as the
    /// requirement needs.
    /// </summary>
    public int? SequencesPerClient { get; init; }

    /// <summary>
    /// How long a sequence, a set-up or a disposal may take, 10 ms .. 10 min. Then its token is cancelled and it has
    /// failed. Default 10 s.
    /// </summary>
    public TimeSpan Timeout { get; init; } = TimeSpan.FromSeconds(10);

    /// <summary>
    /// How long each client waits between its sequences, in milliseconds; null (the default) for not at all. Pauses are
    /// no part of a latency.
    /// </summary>
    public Law? PauseMilliseconds { get; init; }

    /// <summary>
    /// The broker that the actions use, for messages and reports; null (the default) to leave it out.
    /// </summary>
    public IBrokerUnderTest? Broker { get; init; }

    /// <summary>
    /// The name of the usage profile that the actions follow, by which a prediction knows them. Default
    /// "actions".
    /// </summary>
    public string Profile { get; init; } = "actions";

    /// <summary>How long an action whose token is cancelled has to end.</summary>
    internal TimeSpan Patience { get; init; } = TimeSpan.FromSeconds(5);

    internal IReadOnlyList<string> Validate(int clients)
    {
        var errors = new List<string>();
        if (clients is < 1 or > 10_000)
            errors.Add(
                FormattableString.Invariant($"sequences: the number of clients is {clients}; it must be 1 .. 10000.")
            );
        if (SequencesPerClient is < 1)
            errors.Add(
                FormattableString.Invariant(
                    $"sequences: the number of sequences per client is {SequencesPerClient}; it must be at least 1."
                )
            );
        if (Timeout < TimeSpan.FromMilliseconds(10) || Timeout > TimeSpan.FromMinutes(10))
            errors.Add(
                FormattableString.Invariant(
                    $"sequences: the time-out is {Timeout.TotalSeconds:0.###} s; it must be 0.01 s .. 600 s."
                )
            );
        return errors;
    }
}
