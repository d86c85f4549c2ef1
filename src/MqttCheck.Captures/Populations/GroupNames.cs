namespace MqttCheck.Captures.Populations;

/// <summary>Names groups by the names of their clients, or by their behaviour.</summary>
internal static class GroupNames
{
    private const int ShortestName = 3;
    private const int LongestName = 32;

    /// <summary>Gives every group a name that no other has.</summary>
    /// <param name="groups">The groups.</param>
    /// <param name="keepsNames">Whether the names of clients may be used.</param>
    public static void Give(IReadOnlyList<FoundGroup> groups, bool keepsNames)
    {
        var used = new HashSet<string>(StringComparer.Ordinal);
        foreach (var group in groups)
        {
            var name = (keepsNames ? OfClients(group) : null) ?? OfBehaviour(group, groups);
            group.Name = name;
            for (var number = 2; !used.Add(group.Name); number++)
                group.Name = FormattableString.Invariant($"{name}-{number}");
        }
    }

    private static string OfBehaviour(FoundGroup group, IReadOnlyList<FoundGroup> groups) =>
        group.IsRest ? "rest"
        : group.Asker is not null ? "responders"
        : groups.Any(other => other.Asker == group) ? "requesters"
        : group.Sizes.Count > 0 ? (group.Subscribed.Count > 0 ? "devices" : "publishers")
        : group.Subscribed.Count > 0 ? "subscribers"
        : "silent";

    // The beginning that the names of all clients have in common, in letters.
    private static string? OfClients(FoundGroup group)
    {
        var names = group.Clients.Where(client => !client.IsJoined).Select(client => client.Name).ToList();
        if (group.IsRest || names.Count == 0)
            return null;
        var common = names[0];
        foreach (var name in names)
            common = common[..common.AsSpan().CommonPrefixLength(name)];
        var letters = new string([.. common.TakeWhile(c => char.IsAsciiLetter(c) || c is '-' or '_')]);
        letters = letters.Trim('-', '_');
        return letters.Length is >= ShortestName and <= LongestName ? letters : null;
    }
}
