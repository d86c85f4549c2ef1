namespace MqttCheck.Logs;

/// <summary>
/// The sessions of a run that was observed, as far as its exchanges do not tell them: those that stood when the run
/// began, and what wildcards stand for.
/// </summary>
internal sealed record ObservedSessions
{
    /// <summary>The clients that were online when the run began.</summary>
    public IReadOnlyList<int> Online { get; init; } = [];

    /// <summary>The clients that begin a new session with each connection.</summary>
    public IReadOnlyList<int> Clean { get; init; } = [];

    /// <summary>
    /// The connects of other clients by which subscriptions end, because a new session begins: their places in the
    /// order of sending.
    /// </summary>
    public IReadOnlyList<int> CleanConnects { get; init; } = [];

    /// <summary>The topics that clients were subscribed to when the run began: the number is the client's.</summary>
    public IReadOnlyList<NumberedTopics> Subscriptions { get; init; } = [];

    /// <summary>
    /// The topics behind the numbers of subscriptions to several topics: the number stands in the column <c>topic</c>.
    /// </summary>
    public IReadOnlyList<NumberedTopics> Filters { get; init; } = [];

    /// <summary>Which clients begin a new session with each connection.</summary>
    /// <param name="clients">How many clients there are.</param>
    public IReadOnlyList<bool> CleanSessions(int clients)
    {
        var clean = new bool[clients];
        foreach (var client in Clean.Where(client => client < clients))
            clean[client] = true;
        return clean;
    }
}
