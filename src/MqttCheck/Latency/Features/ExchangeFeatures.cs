using MqttCheck.Clients;

namespace MqttCheck.Latency.Features;

/// <summary>
/// The features of an exchange at the moment when it is sent; counts include the exchange itself if they say so.
/// </summary>
public struct ExchangeFeatures
{
    /// <summary>The kind of the exchange.</summary>
    public MessageKind Kind;

    /// <summary>Open exchanges of all clients, this one included.</summary>
    public int Active;

    /// <summary>Open exchanges by kind, this one included.</summary>
    public KindCounts Open;

    /// <summary>Deliveries awaited by open publications, those of this one included.</summary>
    public int OpenDeliveries;

    /// <summary>Clients that are connected.</summary>
    public int Online;

    /// <summary>Subscriptions of all clients, online or not (pairs of client and topic).</summary>
    public int TotalSubscriptions;

    /// <summary>Clients online and subscribed to the topic of the exchange; 0 where the kind has no topic.</summary>
    public int Subscribers;

    /// <summary>
    /// The subscribers whose connection presumably withholds an acknowledgement. A broker that leaves Nagle's algorithm
    /// on keeps their delivery back. They received an answer at most 42 ms ago, sent nothing since, and lately answered
    /// at once.
    /// </summary>
    public int Withheld;

    /// <summary>
    /// Recent activity: r + (f - 1) r / (1 + r²), with r the exchanges completed in the last 40 ms per online client
    /// and f the fourth root of the number of online clients over <see cref="FeatureFold.RecentClients"/>; 0 while
    /// nobody is online. How often a client itself sends decides how long it withholds acknowledgements; where it sends
    /// less than once in the 40 ms after which it acknowledges anyway, it matters too how much all of them send, which
    /// is how busy broker and connections are.
    /// </summary>
    public double RecentActivity;
}
