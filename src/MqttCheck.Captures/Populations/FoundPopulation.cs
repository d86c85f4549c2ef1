using MqttCheck.Captures.Exchanges;

namespace MqttCheck.Captures.Populations;

/// <summary>The clients of a capture, in groups of like behaviour.</summary>
/// <param name="Groups">The groups, the largest first; those that fit nowhere are the last one.</param>
/// <param name="Seconds">How long the capture lasted.</param>
internal sealed record FoundPopulation(IReadOnlyList<FoundGroup> Groups, double Seconds)
{
    // More groups nobody reads.
    private const int MostGroups = 12;
    private const double NearlyAll = .9;
    private const double LongestAnswerMilliseconds = 1000;

    /// <summary>How many clients there are.</summary>
    public int Clients => Groups.Sum(group => group.Clients.Count);

    /// <summary>Finds the groups.</summary>
    /// <param name="names">The clients and topics.</param>
    /// <param name="seconds">How long the capture lasted.</param>
    /// <param name="keepsNames">Whether groups may have the names of their clients.</param>
    public static FoundPopulation Of(SeenNames names, double seconds, bool keepsNames)
    {
        var patterns = new TopicPatterns(names.Topics, names.Clients.Keys);
        var clients = ClientsAgain
            .Joined(names.Clients)
            .Select(client => SeenClient.Of(client.Key, client.Value, patterns));
        var found = Grouping.Of(clients);
        // A rest of one group is that group.
        var most = found.Count == MostGroups + 1 ? MostGroups + 1 : MostGroups;
        var groups = found.Take(most).Select(group => new FoundGroup(group, patterns, seconds)).ToList();
        if (found.Count > most)
            groups.Add(new([.. found.Skip(most).SelectMany(group => group)], patterns, seconds) { IsRest = true });
        foreach (var group in groups)
            group.Asker = groups.Find(asker => asker != group && Answers(group, asker) && !AnswersSooner(asker, group));
        GroupNames.Give(groups, keepsNames);
        return new(groups, seconds);
    }

    // A message for each one received, at once, to those who sent these.
    private static bool Answers(FoundGroup group, FoundGroup asker) =>
        group.Answers.Count > 0
        && group.Answers.Count >= NearlyAll * group.Sizes.Count
        && group.Answers.Count >= NearlyAll * group.Deliveries
        && group.Answers.Mean <= LongestAnswerMilliseconds
        && Hears(group, asker)
        && Hears(asker, group);

    // Two that publish in turns seem to answer each other; the one that waits for less does.
    private static bool AnswersSooner(FoundGroup group, FoundGroup asker) =>
        group.Answers.Mean < asker.Answers.Mean && Answers(group, asker);

    private static bool Hears(FoundGroup listener, FoundGroup speaker) =>
        listener.Clients.Any(client =>
            client.Trace.Received.Overlaps(speaker.Clients.SelectMany(other => other.Trace.Published))
        );
}
