using MqttCheck.Clients;
using MqttCheck.Logs;

namespace MqttCheck.Brokers.Fleets;

/// <summary>The exchanges of a run on their way into its log.</summary>
internal interface IExchangeTimeline
{
    /// <summary>The latest time of any event so far.</summary>
    long LatestNanoseconds { get; }

    /// <summary>An exchange was sent.</summary>
    /// <param name="client">Who sent it.</param>
    /// <param name="action">The request.</param>
    /// <param name="issueIndex">Its number in the order of sending.</param>
    /// <param name="atNanoseconds">When.</param>
    /// <returns>The entry that <see cref="End"/> needs.</returns>
    int Start(int client, in ClientAction action, long issueIndex, long atNanoseconds);

    /// <summary>An exchange has ended.</summary>
    /// <param name="entry">The value returned by <see cref="Start"/>.</param>
    /// <param name="exchange">The exchange, without the features that are filled in here.</param>
    /// <param name="atNanoseconds">When.</param>
    void End(int entry, in Exchange exchange, long atNanoseconds);

    /// <summary>A client's connection ended without its doing.</summary>
    void ConnectionLost(int client, long atNanoseconds);

    /// <summary>Hands on the exchanges that were over by a time.</summary>
    void FoldUntil(long nanoseconds);
}
