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
    /// <param name="action">What it asks.</param>
    /// <param name="issueIndex">Its number in the order of sending.</param>
    /// <param name="atNanoseconds">When.</param>
    /// <returns>What <see cref="End"/> wants back.</returns>
    int Start(int client, in ClientAction action, long issueIndex, long atNanoseconds);

    /// <summary>An exchange has ended.</summary>
    /// <param name="entry">From <see cref="Start"/>.</param>
    /// <param name="exchange">The exchange, without the features that are filled in here.</param>
    /// <param name="atNanoseconds">When.</param>
    void End(int entry, in Exchange exchange, long atNanoseconds);

    /// <summary>A client's connection ended without its doing.</summary>
    void ConnectionLost(int client, long atNanoseconds);

    /// <summary>Hands on what was over by a time.</summary>
    void FoldUntil(long nanoseconds);
}
