using MqttCheck.Clients;

namespace MqttCheck.Latency.Features;

/// <summary>What is known at the moment an exchange is sent, the exchange itself included where it counts.</summary>
public struct ExchangeFeatures
{
    /// <summary>What is asked.</summary>
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
    /// Of these, those whose connection presumably withholds an acknowledgement, so that a broker that leaves Nagle's
    /// algorithm on keeps its delivery back: clients that were answered not more than 42 ms ago, have sent nothing
    /// since, and lately answered at once what they received.
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
