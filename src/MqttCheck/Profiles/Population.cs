namespace MqttCheck.Profiles;

/// <summary>
/// A mix of client groups, each with its own usage profile, sharing one broker and one set of topics.
/// </summary>
public sealed record Population
{
    private const int MostSequencesPerRound = 1_000_000;

    /// <summary>The name in tables and file names.</summary>
    public required string Name { get; init; }

    /// <summary>One sentence for people.</summary>
    public string Description { get; init; } = "";

    /// <summary>The built-in name or the path that it was read from; null where it was made in another way.</summary>
    internal string? ReadFrom { get; init; }

    /// <summary>The groups, at least one.</summary>
    public required IReadOnlyList<ClientGroup> Groups { get; init; }

    /// <summary>A population whose clients all follow one profile.</summary>
    /// <param name="profile">The profile.</param>
    public static Population Of(UsageProfile profile)
    {
        ArgumentNullException.ThrowIfNull(profile);
        return new()
        {
            Name = profile.Name,
            Description = profile.Description,
            Groups = [new(profile.Name, 1, profile)],
        };
    }

    /// <summary>How many topics the clients of all groups share: the largest number that a group uses.</summary>
    public int Topics => Groups.Max(group => group.Profile.Topics);

    /// <summary>
    /// How many sequences of a client take about as long as all stages together, so that each stage counts as it
    /// should; 1 without stages.
    /// </summary>
    public int SequencesPerRound =>
        Groups
            .Where(group => group.Profile.Stages.Count > 0)
            .Select(group =>
                group.Profile.RoundSeconds * 1000 / (group.Profile.SequenceLength * group.Profile.MeanWaitMilliseconds)
            )
            .Select(sequences => (int)Math.Min(Math.Ceiling(sequences), MostSequencesPerRound))
            .DefaultIfEmpty(1)
            .Max();

    /// <summary>A number of sequences, rounded up so that every stage counts as it should.</summary>
    /// <param name="sequences">The number, at least 1.</param>
    public int WholeRounds(int sequences) =>
        (sequences - 1) / SequencesPerRound * SequencesPerRound + SequencesPerRound;

    /// <summary>Which of <paramref name="clients"/> clients start a new session with each connection.</summary>
    /// <param name="clients">The number of clients, at least 1.</param>
    /// <returns>One answer per client, or null when none does.</returns>
    public IReadOnlyList<bool>? CleanSessions(int clients) =>
        Groups.Any(group => group.Profile.CleanSessions)
            ? [.. Assign(clients).Select(group => Groups[group].Profile.CleanSessions)]
            : null;

    /// <summary>The share in which each of <paramref name="clients"/> clients subscribes, as a number from 0.</summary>
    /// <param name="clients">The number of clients, at least 1.</param>
    /// <returns>One number per client, -1 for none; or null when no client subscribes in a share.</returns>
    public IReadOnlyList<int>? Shares(int clients)
    {
        List<string>? names = null;
        for (var group = 0; group < Groups.Count; group++)
            if (Groups[group].Profile.ShareName is { } name && names?.Contains(name) != true)
                (names ??= []).Add(name);
        return names is null
            ? null
            : [.. Assign(clients).Select(group => names.IndexOf(Groups[group].Profile.ShareName ?? ""))];
    }

    /// <summary>
    /// The group of each of <paramref name="clients"/> clients, in proportion to the groups' shares, interleaved so
    /// that any prefix of the clients is a fair sample.
    /// </summary>
    /// <param name="clients">The number of clients, at least 1.</param>
    /// <returns>One index into <see cref="Groups"/> per client.</returns>
    public IEnumerable<int> Assign(int clients)
    {
        ArgumentOutOfRangeException.ThrowIfNegativeOrZero(clients);
        return Assigned(clients);
    }

    private IEnumerable<int> Assigned(int clients)
    {
        var total = Groups.Sum(group => group.Share);
        var assigned = new int[Groups.Count];
        for (var client = 0; client < clients; client++)
        {
            // The group that is furthest behind its due share gets the next client.
            var best = 0;
            var bestLag = double.NegativeInfinity;
            for (var group = 0; group < Groups.Count; group++)
            {
                var lag = Groups[group].Share / total * (client + 1) - assigned[group];
                if (lag > bestLag + 1e-9)
                    (best, bestLag) = (group, lag);
            }
            assigned[best]++;
            yield return best;
        }
    }
}
