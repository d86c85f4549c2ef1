namespace MqttCheck.Clients;

/// <summary>
/// The state of one client model besides its set of subscribed topics. Small, because the simulator holds one per
/// simulated client.
/// </summary>
public struct ClientState
{
    /// <summary>Number of the current sequence: 0 is the partial warm-up sequence, counting starts at 1.</summary>
    public int Sequence;

    /// <summary>How many topics the client has subscribed.</summary>
    public int Subscriptions;

    /// <summary>Position of the next message in its sequence, from 0.</summary>
    public short Step;

    /// <summary>How many messages the current sequence has.</summary>
    public short Length;

    /// <summary>How many of the first messages of its connection a client with an order has sent.</summary>
    public byte Position;

    /// <summary>Number of the client within its group, from 0, which tells the topics of its own.</summary>
    public int Rank;

    /// <summary>Whether the client is in the model's state <c>Connected</c>.</summary>
    public bool Connected;

    /// <summary>Whether the session outlives the connection.</summary>
    public bool Persists;

    /// <summary>Whether acknowledgements of deliveries are withheld.</summary>
    public bool Holding;

    /// <summary>Whether the client is between two sequences and dropping its session.</summary>
    public ResetStage Reset;
}
