namespace MqttCheck.Captures.Exchanges;

/// <summary>The open exchanges of a connection.</summary>
/// <param name="client">The client.</param>
internal sealed class SeenConnection(Participant client)
{
    /// <summary>The client.</summary>
    public Participant Client => client;

    /// <summary>The topics behind the client's aliases, and behind the broker's.</summary>
    public Dictionary<(bool FromClient, int Alias), SeenTopic> Aliases { get; } = [];

    /// <summary>Publications that await an acknowledgement, by their packet identifier.</summary>
    public Dictionary<ushort, PendingPublication> Publications { get; } = [];

    /// <summary>Subscriptions and their ends that await an acknowledgement, by their packet identifier.</summary>
    public Dictionary<ushort, OpenRequest> Requests { get; } = [];

    /// <summary>The CONNECT that awaits its answer.</summary>
    public OpenRequest? Connect { get; set; }

    /// <summary>The DISCONNECT that awaits the end of the connection.</summary>
    public OpenRequest? Disconnect { get; set; }
}
