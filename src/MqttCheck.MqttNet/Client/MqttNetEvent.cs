using MqttCheck.Protocol;

namespace MqttCheck.MqttNet.Client;

/// <summary>An event of a client, on its way to the loop.</summary>
/// <param name="Connection">The client's connection.</param>
/// <param name="Kind">The kind of the event.</param>
/// <param name="Nanoseconds">When an application would have known it.</param>
internal readonly record struct MqttNetEvent(MqttNetConnection Connection, MqttNetEventKind Kind, long Nanoseconds)
{
    /// <summary>The packet identifier that the handler gave its request; of a message the broker's.</summary>
    public ushort PacketId { get; init; }

    /// <summary>The quality of service of a publication.</summary>
    public QualityOfService Qos { get; init; }

    /// <summary>The result, message, exception or arguments, as the kind has them.</summary>
    public object? Value { get; init; }
}
