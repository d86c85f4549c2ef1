using MqttCheck.Clusters.Topologies.Bridges;

namespace MqttCheck.Clusters.Mosquitto.Linting;

/// <summary>A line <c>topic</c> or <c>pattern</c> of a file of access rights.</summary>
/// <param name="Place">Its line.</param>
/// <param name="IsPattern">Whether it is a pattern, which counts for every user.</param>
/// <param name="User">The user of a topic; null for clients without a name.</param>
/// <param name="Access">The word read, write, readwrite or deny.</param>
/// <param name="Filter">The topics, with %u and %c in a pattern.</param>
internal sealed record AclLine(ConfPlace Place, bool IsPattern, string? User, string Access, string Filter)
{
    /// <summary>Whether it has a place for the name of the user or the client identifier.</summary>
    public bool HasPlace =>
        Filter.Contains("%u", StringComparison.Ordinal) || Filter.Contains("%c", StringComparison.Ordinal);

    /// <summary>Whether it lets a client use some topic of a filter.</summary>
    public bool Grants(string? user, string? client, string filter, bool isWrite)
    {
        if (Access is not "readwrite" && Access != (isWrite ? "write" : "read"))
            return false;
        if (!IsPattern && User != user)
            return false;
        if (IsPattern && user is null && Filter.Contains("%u", StringComparison.Ordinal))
            return false;
        // An unknown identifier may be any.
        var own = IsPattern
            ? Filter
                .Replace("%u", user, StringComparison.Ordinal)
                .Replace("%c", client ?? "+", StringComparison.Ordinal)
            : Filter;
        return own.Length > 0 && FilterIntersection.Of(own, filter) is not null;
    }
}
