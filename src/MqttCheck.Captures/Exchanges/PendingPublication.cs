using MqttCheck.Protocol;

namespace MqttCheck.Captures.Exchanges;

/// <summary>A publication until it is logged. Times are nanoseconds since 1970.</summary>
internal sealed class PendingPublication
{
    /// <summary>The publisher.</summary>
    public required Participant Client { get; init; }

    /// <summary>Its topic.</summary>
    public required SeenTopic Topic { get; init; }

    /// <summary>The place in the order of sending.</summary>
    public required long Index { get; init; }

    /// <summary>How many exchanges and subscriptions there were when it was sent, itself included.</summary>
    public required (int Active, int Subscriptions) Load { get; init; }

    /// <summary>The number of the client's connection.</summary>
    public required int Sequence { get; init; }

    /// <summary>The payload: its print, or its length as a negative number where it is not whole.</summary>
    public required long Print { get; init; }

    /// <summary>How long the payload was.</summary>
    public required int Length { get; init; }

    /// <summary>The quality of service.</summary>
    public required QualityOfService Qos { get; init; }

    /// <summary>When it was sent.</summary>
    public required long Sent { get; init; }

    /// <summary>The clients whose delivery is missing.</summary>
    public List<Participant> Missing { get; } = [];

    /// <summary>The clients that received it, where these are not all known beforehand.</summary>
    public List<Participant> Unforeseen { get; } = [];

    /// <summary>How many deliveries were awaited.</summary>
    public int Subscribers { get; set; }

    /// <summary>How many came.</summary>
    public int Receivers { get; set; }

    /// <summary>When the acknowledgement came.</summary>
    public long? Acknowledged { get; set; }

    /// <summary>When the last delivery so far came.</summary>
    public long? LastDelivery { get; set; }

    /// <summary>When the last delivery ceased to be awaited without having come.</summary>
    public long? Released { get; set; }

    /// <summary>Whether its end cannot be known.</summary>
    public bool IsUnknown { get; set; }

    /// <summary>Whether an answer may be among packets that are missing.</summary>
    public bool IsDoubted { get; set; }

    /// <summary>Whether the broker refused it.</summary>
    public bool IsRefused { get; set; }

    /// <summary>Whether it is logged.</summary>
    public bool IsLogged { get; set; }

    /// <summary>The next publication of the same topic and payload.</summary>
    public PendingPublication? NextAlike { get; set; }

    /// <summary>Whether nothing is awaited any more.</summary>
    public bool IsDone =>
        IsUnknown
        || IsRefused
        || (Missing.Count == 0 && (Qos == QualityOfService.AtMostOnce || Acknowledged is not null));

    /// <summary>The time of its latest event.</summary>
    public long End => Math.Max(Math.Max(Sent, Acknowledged ?? Sent), Math.Max(LastDelivery ?? Sent, Released ?? Sent));
}
